import { expect, test } from 'vitest';
import { answerFast } from './styles.ts';

const ODD = `
  <style>.gone { display: none } @media screen { .shy { visibility: hidden } } [data-still] { pointer-events: none }</style>
  <main><h1>Title</h1><p style="display: none">p<b>b</b></p><ul><li>li</li></ul><a href="/">a</a></main>
  <div hidden><button>b</button></div><div style="visibility: hidden"><i>i</i><u style="visibility: visible">u</u></div>
  <div class="gone"><span>s</span></div><div class="shy"><span>s</span></div><div data-still><button>b</button></div>
  <dialog><p>p</p></dialog><dialog open><p>p</p></dialog><div popover>p</div>
  <details><summary>s</summary><p>p</p></details><details open><summary>s</summary><summary>s</summary></details>
  <table><tr hidden><td>d</td></tr><tr><th>h</th></tr></table><input><input type="hidden"><input type="HIDDEN"><input type="file" class="gone"><svg><title>t</title><path /></svg>
  <div style="pointer-events: none"><button style="pointer-events: auto">b</button><em>e</em></div><template></template>`;

/** A page of its own, whose styles are jsdom's. */
function oddPage(): Window {
  const { contentWindow } = document.body.appendChild(document.createElement('iframe'));
  if (!contentWindow) throw new Error('no page');
  contentWindow.document.body.innerHTML = ODD;
  return contentWindow;
}

/** How everything on the page looks. */
function looks(page: Window): string[] {
  return [...page.document.querySelectorAll('*')].map((element) => {
    const style = page.getComputedStyle(element);
    return `${element.outerHTML}: ${style.display} ${style.visibility} ${style.pointerEvents} ${style.color}`;
  });
}

test('what is answered fast is what jsdom answers, also once the page has changed', async () => {
  const [slow, fast] = [oddPage(), oddPage()];
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
