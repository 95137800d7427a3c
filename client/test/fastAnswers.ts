type Asked = 'display' | 'visibility' | 'pointer-events';

const PROPERTIES = new Map<string | symbol, Asked>([
  ['display', 'display'],
  ['visibility', 'visibility'],
  ['pointerEvents', 'pointer-events'],
]);
/** Whether an element of these kinds is shown depends on more than its kind. */
const OF_MANY_LOOKS = new Set(['dialog', 'embed', 'noscript', 'summary']);
/** What shows or hides elements of any kind. */
const LOOK_CHANGING = ['hidden', 'open', 'popover'];
const INITIALLY = { visibility: 'visible', 'pointer-events': 'auto' };

const CONTROLS = ['HTMLButtonElement', 'HTMLInputElement', 'HTMLSelectElement', 'HTMLTextAreaElement'] as const;

/**
 * Answers at once what a search by role asks of each element again and again: whether it is shown. For an element with
 * nothing special about it, that follows from its kind; jsdom would try each of its hundred rules on it, anew after each
 * change of the page, and took a third of the time of all tests. Whatever else is asked, or of others, jsdom answers.
 */
export function answerFast(view: Window & typeof globalThis): void {
  findLabelsFast(view);
  const ask = view.getComputedStyle.bind(view);
  const displays = new Map<string, string>();
  const selectors = selectorsOf(view.document);

  /** Whether neither its own style nor a rule of the page says anything about it. */
  const isLeftAlone = (element: Element, property: Asked) =>
    !element.getAttribute('style')?.includes(property) &&
    !selectors(property).some((selector) => element.matches(selector));

  function displayOf(element: Element): string | undefined {
    const { localName } = element;
    const kind = localName === 'input' ? `input ${element.getAttribute('type')}` : localName;
    if (OF_MANY_LOOKS.has(localName) || LOOK_CHANGING.some((name) => element.hasAttribute(name))) return undefined;
    if (!isLeftAlone(element, 'display')) return undefined;
    const display = displays.get(kind) ?? ask(element).display;
    displays.set(kind, display);
    return display;
  }

  function inherited(element: Element, property: 'visibility' | 'pointer-events'): string | undefined {
    for (let at: Element | null = element; at; at = at.parentElement)
      if (LOOK_CHANGING.some((name) => at?.hasAttribute(name)) || !isLeftAlone(at, property)) return undefined;
    return INITIALLY[property];
  }

  view.getComputedStyle = (element, pseudo) => {
    let asked: CSSStyleDeclaration | undefined;
    const style = () => {
      asked ??= ask(element, pseudo);
      return asked;
    };
    const fast = (property: Asked) => (property === 'display' ? displayOf(element) : inherited(element, property));
    const value = (name: string) =>
      (!pseudo && isAsked(name) ? fast(name) : undefined) ?? style().getPropertyValue(name);
    return new Proxy({} as CSSStyleDeclaration, {
      get(_, name) {
        if (name === 'getPropertyValue') return value;
        const property = PROPERTIES.get(name);
        if (property) return value(property);
        const answer = Reflect.get(style(), name);
        return typeof answer === 'function' ? answer.bind(style()) : answer;
      },
    });
  };
}

const isAsked = (name: string): name is Asked => [...PROPERTIES.values()].includes(name as Asked);

/** Gives the selectors of the rules about a property that libraries have put into the page; looked up once in a task. */
function selectorsOf(page: Document): (property: Asked) => string[] {
  const known = new Map<Asked, string[]>();
  return (property) => {
    if (known.size === 0) queueMicrotask(() => known.clear());
    const selectors = known.get(property) ?? [...page.styleSheets].flatMap((sheet) => selectorsIn(sheet, property));
    known.set(property, selectors);
    return selectors;
  };
}

function selectorsIn(rules: Pick<CSSStyleSheet, 'cssRules'>, property: Asked): string[] {
  return [...rules.cssRules].flatMap((rule) => {
    const { cssRules, selectorText, style } = rule as Partial<CSSMediaRule & CSSStyleRule>;
    if (selectorText) return style?.getPropertyValue(property) ? [selectorText] : [];
    return cssRules ? selectorsIn({ cssRules }, property) : [];
  });
}

/**
 * Finds the labels of a control, which a search by name asks of each again and again, by what they name and what they contain.
 * jsdom would look through the whole page, anew after each change, and took a tenth of the time of tests of forms.
 */
function findLabelsFast(view: Window & typeof globalThis): void {
  for (const kind of CONTROLS)
    Object.defineProperty(view[kind].prototype, 'labels', { configurable: true, get: labelsOf });
}

function labelsOf(this: HTMLInputElement): HTMLLabelElement[] | null {
  if (this.type === 'hidden') return null;
  const around = this.closest<HTMLLabelElement>('label:not([for])');
  const naming = this.id
    ? this.ownerDocument.querySelectorAll<HTMLLabelElement>(`label[for=${JSON.stringify(this.id)}]`)
    : [];
  const all = [...(around?.control === this ? [around] : []), ...[...naming].filter(({ control }) => control === this)];
  return all.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
}
