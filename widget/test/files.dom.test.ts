import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { find, leave, parley, press, texts, visit, write } from './page.ts';
import { type StandIn, startStandIn } from './standin.ts';
import { waitFor } from './wait.ts';

let server: StandIn;

beforeEach(async () => {
  server = await startStandIn();
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  await server.stop();
});

const states = () => texts('.mine .state');

async function open(): Promise<void> {
  visit(server);
  await waitFor(() => find('.launcher'));
  parley().open();
  await waitFor(() => expect(server.asks.map(([event]) => event)).toContain('sync'));
}

function choose(file: File): void {
  const chooser = find<HTMLInputElement>('input[type=file]');
  Object.defineProperty(chooser, 'files', { value: [file], configurable: true });
  chooser.dispatchEvent(new Event('change'));
}

test('a file is uploaded, shown in the thread, and refused with a reason when it is too large', async () => {
  await open();
  choose(new File(['data'], 'receipt.png'));
  await waitFor(() => expect(find<HTMLImageElement>('.mine img').alt).toBe('receipt.png'));
  const { width, height, src } = find<HTMLImageElement>('.mine img');
  expect({ width, height, src }).toEqual({ width: 240, height: 120, src: `${server.origin}/api/files/picture` });
  expect(states()).toEqual(['Sent']);

  const large = new File(['x'], 'film.mp4');
  Object.defineProperty(large, 'size', { value: 20 * 1024 * 1024 });
  choose(large);
  await waitFor(() => expect(texts('.why')).toEqual(['Not sent. A file may have up to 10 MB.']));
  expect(texts('.failed .link')).toEqual(['Delete']);
  press('Delete');
  await waitFor(() => expect(texts('.why')).toEqual([]));
});

test('a file that is being sent shows how far it is, and can be cancelled', async () => {
  let letGo = () => {};
  server.heldFile = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const sent = vi.spyOn(XMLHttpRequest.prototype, 'send');
  await open();
  choose(new File(['data'], 'receipt.png'));
  await waitFor(() => expect(server.calls).toContain('POST /files'));
  const [request] = sent.mock.contexts as XMLHttpRequest[];
  request?.upload.dispatchEvent(new ProgressEvent('progress', { loaded: 1, total: 4 }));
  expect(texts('.bar span')).toEqual(['25%']);
  expect(find('progress').getAttribute('aria-label')).toBe('receipt.png');
  choose(new File(['more'], 'letter.png'));
  await waitFor(() => expect(texts('.bar span')).toEqual(['25%', '0%']));
  find('.bar .link').click();
  await waitFor(() => expect(server.cutOff).toBe(1));
  letGo();
  await waitFor(() => expect(find<HTMLImageElement>('.mine img').alt).toBe('letter.png'));
  expect(texts('.mine')).toHaveLength(1);
  expect(server.messages.map(({ content }) => content)).toEqual(['letter.png']);
});

test('a file chosen before the session exists waits for it', async () => {
  visit(server);
  await waitFor(() => find('.launcher'));
  server.status = 503;
  parley().open();
  await waitFor(() => expect(server.calls).toContain('POST /session'));
  choose(new File(['data'], 'receipt.png'));
  await waitFor(() => expect(texts('.bar span')).toEqual(['0%']));
  server.status = 200;
  await waitFor(() => expect(states()).toEqual(['Sent']));
});

test('a file waits for the texts that were written before it', async () => {
  await open();
  server.silent = true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  write('Here is my receipt');
  await waitFor(() => expect(server.asks.map(([event]) => event)).toContain('send_message'));
  choose(new File(['data'], 'receipt.png'));
  await waitFor(() => expect(texts('.bar span')).toEqual(['0%']));
  server.silent = false;
  await waitFor(async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.messages.map(({ content }) => content)).toEqual(['Here is my receipt', 'receipt.png']);
  });
  vi.useRealTimers();
});
