import { onlineManager, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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

interface ListProps {
  load: () => Promise<string>;
  add: () => Promise<void>;
}

function List({ load, add }: ListProps) {
  const client = useQueryClient();
  const { data } = useQuery({ queryKey: ['list'], queryFn: load });
  const { mutate, isSuccess } = useMutation({
    mutationFn: add,
    onSuccess: () => void client.invalidateQueries({ queryKey: ['list'] }),
  });
  return (
    <>
      <p>{data}</p>
      <button type="button" onClick={() => mutate()}>
        {isSuccess ? 'Done' : 'Add'}
      </button>
    </>
  );
}

it('loads a list again that was still loading when it was changed', async () => {
  let stored = 'Nothing';
  let answer = () => {};
  const load = () => {
    const found = stored;
    return found === 'Nothing'
      ? new Promise<string>((resolve) => (answer = () => resolve(found)))
      : Promise.resolve(found);
  };
  const add = async () => {
    stored = 'Something';
  };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <List load={load} add={add} />
    </QueryClientProvider>,
  );
  screen.getByRole('button', { name: 'Add' }).click();
  await screen.findByText('Done');
  answer();
  expect(await screen.findByText('Something')).toBeTruthy();
});
