import { onlineManager, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { createQueryClient } from './query.ts';

const fail = () => Promise.reject(new Error('No line'));

function Probe() {
  const query = useQuery({ queryKey: ['probe'], queryFn: fail, retry: false });
  const { mutate, error } = useMutation({ mutationFn: fail });
  return (
    <>
      {query.error && <p>Not loaded: {query.error.message}</p>}
      {error && <p>Not saved: {error.message}</p>}
      <button type="button" onClick={() => mutate()}>
        Save
      </button>
    </>
  );
}

afterEach(() => onlineManager.setOnline(true));

it('reports a failed call, also when the browser says it is offline', async () => {
  act(() => onlineManager.setOnline(false));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Probe />
    </QueryClientProvider>,
  );
  screen.getByRole('button', { name: 'Save' }).click();
  expect(await screen.findByText('Not loaded: No line')).toBeTruthy();
  expect(await screen.findByText('Not saved: No line')).toBeTruthy();
});
