import { createPen, type Pen, type Run } from './pen.ts';
import { createTypesetter, type Line, type Typesetter } from './typesetter.ts';

export const MARGIN = 56;
const PAGE = { width: 595.28, height: 841.89 };
/** The width between the margins, in points. */
export const WIDTH = PAGE.width - 2 * MARGIN;
const TOP = 60;
const BOTTOM = PAGE.height - 72;
const FOOTER_Y = PAGE.height - 40;
export const GREY = '#6b7280';
const RULE = '#d1d5db';
const RULE_WEIGHT = 0.5;
const RULE_ABOVE = 18;
const RULE_BELOW = 10;
export const RULE_HEIGHT = RULE_ABOVE + RULE_BELOW;
const SMALL_PRINT = { size: 8, color: GREY };
/** The baseline of a line's letters, as a share of the line's height from the top. */
const BASELINE = 0.74;
/** The height of the line at the top of a page that continues a chat. */
const HEAD_HEIGHT = 20;
const FORGET_EVERY_PAGES = 20;

/** A line of text and its position. */
export interface Cell {
  line: Line;
  x: number;
  /** The column's width. If it is set, a line that is read from right to left is aligned to the column's right edge. */
  width?: number | undefined;
}

/** Pages that are filled from top to bottom. */
export interface Paper {
  set: Typesetter;
  /** Begins a new page unless this much room is left. */
  need(height: number): void;
  /** Draws cells side by side, and moves down below them. */
  row(cells: Cell[], height: number): void;
  /** Leaves room between two things; none at the top of a page. */
  gap(height: number): void;
  /** Draws a thin line between two things. It needs `RULE_HEIGHT`, and is left out at the top of a page. */
  rule(): void;
  /** The text at the top of the following pages. */
  runningHead: string | null;
  /** Removes and returns the bytes that are ready. */
  take(): Uint8Array<ArrayBuffer>;
  /** Finishes the document; after it, `take` returns the rest. */
  end(): void;
}

/** A4 paper with numbered pages. @param title at the foot of each page */
export function createPaper(fontFolder: string, title: string): Paper {
  const info = { Title: title, Creator: 'Parley', Producer: 'Parley' };
  const pen = createPen(fontFolder, { size: 'A4', margin: 0, pdfVersion: '1.7', lang: 'en', displayTitle: true, info });
  const { doc } = pen;
  const set = createTypesetter(pen);
  const total = createTotal(pen);
  let pages = 0;
  let y = TOP;

  function drawLine({ x, width, line }: Cell, baseline: number): void {
    let at = line.isRightToLeft && width !== undefined ? x + width - line.width : x;
    for (const run of line.runs) {
      pen.draw(run, { x: at, y: baseline, ...line.style });
      at += run.width;
    }
  }

  function newPage(): void {
    doc.addPage();
    pages++;
    if (pages % FORGET_EVERY_PAGES === 0) pen.forget();
    const number = runOf(pen, `Page ${pages} of`);
    pen.draw(number, { x: MARGIN, y: FOOTER_Y, ...SMALL_PRINT });
    total.place(MARGIN + number.width, String(pages).length);
    const [right] = set(title, WIDTH / 2, SMALL_PRINT);
    if (right) drawLine({ x: MARGIN + WIDTH - right.width, line: right }, FOOTER_Y);
    y = TOP;
    const [head] = paper.runningHead === null ? [] : set(paper.runningHead, WIDTH, SMALL_PRINT);
    if (head) paper.row([{ x: MARGIN, line: head }], HEAD_HEIGHT);
  }

  const paper: Paper = {
    set,
    need(height) {
      if (pages === 0 || y + height > BOTTOM) newPage();
    },
    row(cells, height) {
      paper.need(height);
      for (const cell of cells) drawLine(cell, y + height * BASELINE);
      y += height;
    },
    gap(height) {
      if (y > TOP) y += height;
    },
    rule() {
      if (y === TOP) return;
      y += RULE_ABOVE;
      const line = doc.moveTo(MARGIN, y).lineTo(MARGIN + WIDTH, y);
      line.lineWidth(RULE_WEIGHT).strokeColor(RULE).stroke();
      y += RULE_BELOW;
    },
    runningHead: null,
    // The length is given, because `read()` alone returns only the first of the pieces that are ready in newer versions of Node.
    take: () => new Uint8Array(doc.read(doc.readableLength) ?? []),
    end() {
      total.write(pages);
      doc.end();
    },
  };
  return paper;
}

function runOf(pen: Pen, text: string): Run {
  return { text, font: 'latin', width: pen.width(text, 'latin', SMALL_PRINT.size) };
}

/**
 * Draws the number of all pages, which is known only at the end: each page refers to one shared drawing, which is made
 * last. There is one drawing for each position that the number can have: 'Page 9 of' is shorter than 'Page 10 of'.
 */
function createTotal(pen: Pen) {
  const { doc } = pen;
  const forms = new Map<number, { form: PDFKit.PDFKitReference; x: number }>();
  return {
    place(x: number, digits: number): void {
      const existing = forms.get(digits);
      const form =
        existing?.form ?? doc.ref({ Type: 'XObject', Subtype: 'Form', BBox: [0, 0, PAGE.width, PAGE.height] });
      if (!existing) forms.set(digits, { form, x });
      doc.page.xobjects[`Total${digits}`] = form;
      doc.addContent(`/Total${digits} Do`);
    },
    write(pages: number): void {
      const pageContent = doc.page.content;
      for (const { form, x } of forms.values()) {
        // While this is set, pdfkit draws into the form and not onto the page.
        doc.page.content = form;
        pen.draw(runOf(pen, ` ${pages}`), { x, y: FOOTER_Y, ...SMALL_PRINT });
        Object.assign(form.data, { Resources: { Font: doc.page.fonts } });
        form.end('');
      }
      doc.page.content = pageContent;
    },
  };
}
