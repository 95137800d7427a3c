import { expect, test } from 'vitest';
import { answerFast } from './fastAnswers.ts';

const ODD = `
  <style>.gone { display: none } @media screen { .shy { visibility: hidden } } [data-still] { pointer-events: none }</style>
  <main><h1>Title</h1><p style="display: none">p<b>b</b></p><ul><li>li</li></ul><a href="/">a</a></main>
  <div hidden><button>b</button></div><div style="visibility: hidden"><i>i</i><u style="visibility: visible">u</u></div>
  <div class="gone"><span>s</span></div><div class="shy"><span>s</span></div><div data-still><button>b</button></div>
  <dialog><p>p</p></dialog><dialog open><p>p</p></dialog><div popover>p</div>
  <details><summary>s</summary><p>p</p></details><details open><summary>s</summary><summary>s</summary></details>
  <table><tr hidden><td>d</td></tr><tr><th>h</th></tr></table><input><input type="hidden"><input type="HIDDEN"><input type="file" class="gone"><svg><title>t</title><path /></svg>
  <div style="pointer-events: none"><button style="pointer-events: auto">b</button><em>e</em></div><template></template>`;

const LABELLED = `
  <label for="name">1</label><input id="name"><label for="name">2</label><label>3<input id="inner"><select></select></label>
  <label for="inner">4</label><label>5<button id="both">b</button></label><label for="both">6</label><label for="none">7</label>
  <input type="hidden" id="hidden"><label for="hidden">8</label><textarea></textarea><input id="twice"><input id="twice"><label for="twice">9</label>`;

/** A page of its own, which jsdom answers for. */
function oddPage(content: string): Window & typeof globalThis {
  const page = document.body.appendChild(document.createElement('iframe')).contentWindow;
  if (!page) throw new Error('no page');
  page.document.body.innerHTML = content;
  return page as Window & typeof globalThis;
}

/** How everything on the page looks. */
function looks(page: Window): string[] {
  return [...page.document.querySelectorAll('*')].map((element) => {
    const style = page.getComputedStyle(element);
    return `${element.outerHTML}: ${style.display} ${style.visibility} ${style.pointerEvents} ${style.color}`;
  });
}

test('what is answered fast is what jsdom answers, also once the page has changed', async () => {
  const [slow, fast] = [oddPage(ODD), oddPage(ODD)];
  answerFast(fast);
  expect(looks(fast)).toEqual(looks(slow));
  for (const { document: page } of [slow, fast]) {
    const style = page.createElement('style');
    style.textContent = 'h1 { display: flex } a { visibility: hidden }';
    page.head.append(style);
    page.querySelector('main')?.setAttribute('hidden', '');
  }
  await Promise.resolve();
  expect(looks(fast)).toEqual(looks(slow));
  expect(looks(fast).join()).toContain('flex visible');
  const displayOf = (page: Window) => page.getComputedStyle(page.document.body).getPropertyValue('display');
  expect(displayOf(fast)).toBe(displayOf(slow));
});

test('the labels that are found fast are those of jsdom, in their order', () => {
  const [slow, fast] = [oddPage(LABELLED), oddPage(LABELLED)];
  answerFast(fast);
  const labels = ({ document: page }: Window) =>
    [...page.querySelectorAll<HTMLInputElement>('input, select, button, textarea')].map(({ labels: found }) =>
      found ? [...found].map(({ textContent }) => textContent) : null,
    );
  expect(labels(fast)).toEqual(labels(slow));
  expect(labels(fast).slice(0, 3)).toEqual([['1', '2'], ['3', '4'], []]);
});
