import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { Avatar } from './Avatar.tsx';
import { toastAction, useToastKey } from './actionToast.tsx';
import { Button } from './Button.tsx';
import { CopyButton } from './CopyButton.tsx';
import { Field } from './Field.tsx';
import { IconButton } from './IconButton.tsx';
import { Input } from './Input.tsx';
import { Day, Time } from './Time.tsx';
import { Toasts } from './Toasts.tsx';

const MINUTE_MS = 60_000;

it('links label, hint and error of a field to its control', () => {
  render(
    <Field label="Domain" hint="without http://" error="Domain is required">
      <Input />
    </Field>,
  );
  const input = screen.getByLabelText('Domain');
  const described = input.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(described.map((each) => document.getElementById(each)?.textContent)).toEqual([
    'without http://',
    'Domain is required',
  ]);
  expect(input.getAttribute('aria-invalid')).toBe('true');
});

it('writes addresses and phone numbers from the left, whatever the direction of the page', () => {
  render(
    <div dir="rtl">
      {['text', 'email', 'url', 'tel'].map((type) => (
        <Input key={type} type={type} aria-label={type} />
      ))}
      <Input inputMode="url" aria-label="domain" />
      <Input type="url" dir="auto" aria-label="own" />
    </div>,
  );
  const directionOf = (name: string) => screen.getByLabelText(name).getAttribute('dir');
  expect(['email', 'url', 'tel', 'domain'].map(directionOf)).toEqual(['ltr', 'ltr', 'ltr', 'ltr']);
  expect(['text', 'own'].map(directionOf)).toEqual([null, 'auto']);
});

it('ignores clicks and submits nothing while busy', async () => {
  const pressed = vi.fn();
  const submitted = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  render(
    <form onSubmit={submitted}>
      <Button type="submit" busy onClick={pressed}>
        Save
      </Button>
    </form>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(pressed).not.toHaveBeenCalled();
  expect(submitted).not.toHaveBeenCalled();
});

it('copies its text and shows that it did', async () => {
  const user = userEvent.setup();
  render(<CopyButton text="<script>" />);
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe('<script>');
});

it.each([
  ['now', 30_000],
  ['4 min', 4.5 * MINUTE_MS],
  ['23 h', 23.9 * 60 * MINUTE_MS],
])('formats a time within a day as %s', (words, age) => {
  const at = new Date(Date.now() - age).toISOString();
  render(<Time at={at} />);
  const time = screen.getByText(words);
  expect(time.getAttribute('datetime')).toBe(at);
  expect(time.title).toContain(String(new Date(at).getFullYear()));
});

it('formats an older time as a date', () => {
  render(<Time at="2019-03-05T12:00:00.000Z" />);
  expect(screen.getByText('Mar 5, 2019')).toBeTruthy();
});

it('shows initials without a picture', () => {
  const { container } = render(<Avatar name="  josé  maría lópez " />);
  expect(container.textContent).toBe('JL');
});

it('shows the name of an icon on hover, until Escape', async () => {
  const user = userEvent.setup();
  render(<IconButton label="Log out">x</IconButton>);
  await user.hover(screen.getByRole('button', { name: 'Log out' }));
  expect(await screen.findByText('Log out')).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByText('Log out')).toBeNull());
});

it('says Today until midnight, also where the computer slept', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  vi.setSystemTime(new Date(2026, 0, 5, 23, 59, 50));
  const { container } = render(<Day at={new Date(2026, 0, 5, 12).toISOString()} />);
  expect(container.textContent).toBe('Today');
  await act(() => vi.advanceTimersByTimeAsync(15_000));
  expect(container.textContent).toBe('Yesterday');
  vi.setSystemTime(new Date(2026, 0, 7, 8));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(container.textContent).toBe('Monday, January 5');
  vi.useRealTimers();
});

function Toasting() {
  useToastKey();
  return (
    <>
      <Toasts />
      <textarea aria-label="Field" />
      <div role="dialog">
        <button type="button">In a dialog</button>
      </div>
    </>
  );
}

it('presses the button of the newest toast with Alt+Z, also while one writes, but not from a dialog', async () => {
  const user = userEvent.setup();
  render(<Toasting />);
  const done: string[] = [];
  for (const id of ['first', 'second'])
    act(() => toastAction({ id, text: id, label: 'Undo', run: () => done.push(id) }));
  screen.getByRole('button', { name: 'In a dialog' }).focus();
  await user.keyboard('{Alt>}z{/Alt}');
  expect(done).toEqual([]);
  const field = screen.getByRole('textbox');
  await user.type(field, 'Hello z');
  await user.keyboard('{Alt>}z{/Alt}');
  expect(done).toEqual(['second']);
  // The second is still fading out.
  await user.keyboard('{Alt>}z{/Alt}{Alt>}z{/Alt}');
  expect(done).toEqual(['second', 'first']);
  expect(document.activeElement).toBe(field);
});

it('keeps a toast while its button has the focus, which then goes back to where it was', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  render(<Toasting />);
  const field = screen.getByRole('textbox');
  act(() => field.focus());
  act(() => toastAction({ text: 'Closed', label: 'Undo', run: () => undefined }));
  const button = screen.getByRole('button', { name: 'Undo' });
  act(() => button.focus());
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(button.isConnected).toBe(true);
  act(() => button.click());
  expect(document.activeElement).toBe(field);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(button.isConnected).toBe(false);
  vi.useRealTimers();
});
