import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EVENTS, type EventRow } from './field-events.ts';
import {
  asked,
  contents,
  drafts,
  FIELDS,
  type FieldRow,
  fill,
  type Input,
  inputsOf,
  root,
  server,
  shownIn,
  startServer,
} from './fields.ts';
import { find, leave, parley, type, visit, write } from './page.ts';
import { waitFor } from './wait.ts';

beforeEach(async () => {
  await startServer();
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
});
afterEach(async () => {
  leave();
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  await server.stop();
});

/** Opens a page with the field, and types in it. */
async function typeIn(field: FieldRow): Promise<Input[]> {
  Object.assign(server.config, field.config);
  visit(server);
  parley().identify({ id: 'ana' });
  parley().open();
  await waitFor(() => expect(asked('sync').length).toBeGreaterThan(0));
  await field.open?.();
  const inputs = await waitFor(() => {
    expect(inputsOf(field)).toHaveLength(field.typed.length);
    return inputsOf(field);
  });
  inputs[0]?.focus();
  fill(inputs, field.typed);
  return inputs;
}

/** The team gets it once, and no draft is left. */
async function sentOnce(field: FieldRow, shown = field.typed): Promise<void> {
  const expected = JSON.stringify(field.sent).replace(JSON.stringify(field.typed[0]), JSON.stringify(shown[0]));
  const match = JSON.parse(expected);
  const once = [typeof match === 'string' ? match : expect.objectContaining(match)];
  await waitFor(() => expect(field.got()).toEqual(once));
  await waitFor(() => expect(drafts()).toEqual([]));
}

/** What else was sent has come before this call. */
const answered = async () => void (await (await fetch(`${server.origin}/api/widget/${server.code}`)).text());

const ofEvents = (isPassing: boolean) =>
  Object.keys(FIELDS).flatMap((field) =>
    Object.entries(EVENTS)
      .filter(([, row]) => isPassing === (Object.keys(row).length === 1))
      .map(([event]) => [field, event] as const),
  );

test.each(Object.keys(FIELDS))('%s: what happens meanwhile takes neither the focus nor the text', async (name) => {
  const field = FIELDS[name] as FieldRow;
  const inputs = await typeIn(field);
  for (const [, event] of ofEvents(true).filter(([each]) => each === name)) {
    await EVENTS[event]?.happens(field);
    expect(inputsOf(field), event).toEqual(inputs);
    expect(inputs.map(shownIn), event).toEqual(field.typed);
    expect(root().activeElement, event).toBe(inputs[0]);
  }
  field.send();
  await sentOnce(field);
  await answered();
  expect(field.got()).toHaveLength(1);
});

test.each(ofEvents(false))('%s: %s', async (name, event) => {
  const field = FIELDS[name] as FieldRow;
  const { happens, shows = (typed: string[]) => typed, times = 1, isLeft, needs } = EVENTS[event] as EventRow;
  const inputs = await typeIn(field);
  await happens(field);
  if (times === 0) {
    // Gone with what was typed, or empty.
    const shown = () => inputsOf(field).map(shownIn);
    await waitFor(() => expect(shown().filter((value) => value && value !== 'false')).toEqual([]));
  } else {
    const shown = shows(field.typed);
    await waitFor(() => expect(inputsOf(field).map(shownIn)).toEqual(shown));
    if (!isLeft) {
      expect(inputsOf(field)).toEqual(inputs);
      expect(root().activeElement).toBe(inputs[0]);
    }
    field.send();
    await needs?.[name]?.(field);
    await sentOnce(field, shown);
  }
  await answered();
  expect(field.got()).toHaveLength(times);
});

async function writing(text: string): Promise<HTMLTextAreaElement> {
  visit(server);
  parley().open();
  await waitFor(() => expect(asked('sync').length).toBeGreaterThan(0));
  const input = type(text);
  input.focus();
  return input;
}

test('a click is not lost to a language that waits until the visitor has left the field', async () => {
  const input = await writing('Hello');
  parley().setLanguage('de');
  // The press of a button takes the focus from the field, some time before the click.
  const button = find('.send');
  button.focus();
  for (let call = 0; call < 3; call++) await (await fetch(`${server.origin}/api/widget/${server.code}`)).text();
  button.click();
  await waitFor(() => expect(contents()).toEqual(['Hello']));
  input.blur();
  await waitFor(() => expect(find('.send').getAttribute('aria-label')).toBe('Senden'));
});

test('a page that the browser brings back does not send what was sent meanwhile', async () => {
  const input = await writing('Hello');
  // Another page has sent it, and this one got no event of it.
  localStorage.removeItem(`parley:${server.code}:draft`);
  localStorage.setItem(`parley:${server.code}:draft:sent`, 'Hello');
  find('.send').click();
  expect(input.value).toBe('');
  write('Hello again');
  await waitFor(() => expect(contents()).toEqual(['Hello again']));
});
