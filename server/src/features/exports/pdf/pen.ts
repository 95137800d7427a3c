import path from 'node:path';
import PDFDocument from 'pdfkit';
import { FONT_FILES, type FontName, SHAPED } from './fonts.ts';

declare global {
  namespace PDFKit {
    /** Fields of pdfkit's embedded fonts that its types do not declare. */
    interface EmbeddedFont {
      font: { hasGlyphForCodePoint(codePoint: number): boolean };
      /** Every word that was ever set: pdfkit never removes one, so `forget` has to. */
      layoutCache: Record<string, unknown>;
      /** Shapes a text as a whole; pdfkit does not cache the result. */
      layoutRun(text: string, features?: PDFKit.Mixins.OpenTypeFeatures[]): unknown;
    }
    interface PDFDocument {
      _font: EmbeddedFont;
    }
  }
}

/** A text in one font, in the order that the font expects. */
export interface Run {
  text: string;
  font: FontName;
  /** In points. */
  width: number;
  /** The text in reading order, where copying it from the PDF would give another order. */
  actual?: string;
}

/** Measures and draws single runs. */
export interface Pen {
  doc: PDFKit.PDFDocument;
  covers(font: FontName, codePoint: number): boolean;
  /** The width of a text in one font, in points. */
  width(text: string, font: FontName, size: number): number;
  /** Draws a run; `y` is its baseline. */
  draw(run: Run, at: { x: number; y: number; size: number; color: string }): void;
  /** Clears the caches of words set so far, which would grow without bound. */
  forget(): void;
}

/** Characters of all cached shaped texts together: each glyph takes some 500 bytes. */
const REMEMBERED_MAX_LENGTH = 50_000;
const SHAPE_WHOLE: PDFKit.Mixins.OpenTypeFeatures[] = [];

/** Makes a pen for a new document. @param fontFolder where the font files are */
export function createPen(fontFolder: string, options: PDFKit.PDFDocumentOptions): Pen {
  // Fonts by their file and not by a name: pdfkit reads a file again when it is used under another name.
  const fileOf = (font: FontName) => path.join(fontFolder, FONT_FILES[font]);
  const doc = new PDFDocument({ ...options, font: fileOf('latin'), autoFirstPage: false });
  const opened = new Map<FontName, PDFKit.EmbeddedFont>();
  const shaped: { forget(): void }[] = [];

  function take(font: FontName): PDFKit.EmbeddedFont {
    doc.font(fileOf(font));
    if (!opened.has(font)) {
      opened.set(font, doc._font);
      if (SHAPED.has(font)) shaped.push(rememberRuns(doc._font));
    }
    return doc._font;
  }
  /**
   * pdfkit sets and caches text word by word unless features are given: with an empty list it sets the text as a whole.
   */
  const shaping = (font: FontName) => (SHAPED.has(font) ? { features: SHAPE_WHOLE } : {});

  return {
    doc,
    covers: (font, codePoint) => take(font).font.hasGlyphForCodePoint(codePoint),
    width(text, font, size) {
      take(font);
      return doc.fontSize(size).widthOfString(text, shaping(font));
    },
    draw({ text, font, actual }, { x, y, size, color }) {
      take(font);
      doc.fontSize(size).fillColor(color);
      if (actual !== undefined) doc.markContent('Span', { actual });
      doc.text(text, x, y, { lineBreak: false, baseline: 'alphabetic', ...shaping(font) });
      if (actual !== undefined) doc.endMarkedContent();
    },
    forget() {
      for (const font of opened.values()) font.layoutCache = Object.create(null);
      for (const runs of shaped) runs.forget();
    },
  };
}

/**
 * Caches the shaped texts of a font. A text is measured and drawn in many steps, each of which would shape it again, and
 * these scripts take a third of a millisecond a letter.
 */
function rememberRuns(font: PDFKit.EmbeddedFont): { forget(): void } {
  const shape = font.layoutRun.bind(font);
  const runs = new Map<string, unknown>();
  let length = 0;
  const forget = () => {
    runs.clear();
    length = 0;
  };
  font.layoutRun = (text, features) => {
    const cached = runs.get(text);
    if (cached) return cached;
    if (length > REMEMBERED_MAX_LENGTH) forget();
    const run = shape(text, features);
    runs.set(text, run);
    length += text.length;
    return run;
  };
  return { forget };
}
