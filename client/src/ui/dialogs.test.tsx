import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { AlertProvider, useAlert } from './AlertDialog.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';

function Speaker() {
  const alert = useAlert();
  const [said, setSaid] = useState(0);
  const speak = async () => {
    const first = alert('First words');
    void alert('Second words');
    await first;
    setSaid(1);
  };
  return (
    <button type="button" onClick={speak}>
      Speak {said}
    </button>
  );
}

it('shows alerts one after the other, waits for each, and returns the focus', async () => {
  const user = userEvent.setup();
  render(
    <AlertProvider>
      <Speaker />
    </AlertProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'Speak 0' }));
  expect((await screen.findByRole('alertdialog')).textContent).toContain('First words');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('alertdialog').textContent).toContain('Second words'));
  await user.click(screen.getByRole('button', { name: 'OK' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Speak 1' })));
});

function Asker({ onConfirm }: { onConfirm: () => void }) {
  const [open, setOpen] = useState(true);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={setOpen}
      title="Delete Website"
      text="Are you sure?"
      confirmLabel="Delete Website"
      onConfirm={onConfirm}
    />
  );
}

it('asks before it acts, and does nothing on Cancel', async () => {
  const user = userEvent.setup();
  const confirmed = vi.fn();
  render(<Asker onConfirm={confirmed} />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' })));
  await user.click(screen.getByRole('button', { name: 'Delete Website' }));
  expect(confirmed).toHaveBeenCalledOnce();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(confirmed).toHaveBeenCalledOnce();
});
