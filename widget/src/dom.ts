const SVG = 'http://www.w3.org/2000/svg';

function setAttributes(node: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/** Creates an element. Text stays text, so nothing that a visitor or an agent wrote can become HTML. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  node.className = className;
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

/** Draws an icon from an outlined and a filled path, on a grid of `size` units. */
export function icon(outline: string, filled = '', size = 24): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  setAttributes(svg, { viewBox: `0 0 ${size} ${size}`, 'aria-hidden': 'true' });
  const draw = (name: string, d: string) => {
    const path = document.createElementNS(SVG, 'path');
    setAttributes(path, { class: name, d });
    svg.append(path);
  };
  draw('filled', filled);
  draw('outline', outline);
  return svg;
}

/** Parley's logo mark: a tall filled bubble and a round outlined one that overlap into a 'p'. */
export function mark(): SVGSVGElement {
  const svg = icon('M18 5a8 8 0 1 1 0 16h-6V5Z', 'M4 6a3 3 0 0 1 3-3h5v19.5l-8 8Z', 32);
  svg.classList.add('mark');
  return svg;
}

/** Adds a style sheet to a shadow root in the way that a strict Content-Security-Policy of the page allows. */
export function addStyles(root: ShadowRoot, css: string): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  } catch {
    // Browsers from before 2023 have no constructable style sheets.
    root.append(el('style', '', {}, css));
  }
}
