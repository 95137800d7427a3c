import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Place } from './ErrorBoundary.tsx';
import { lazyPart } from './lazyPart.tsx';

const OWN_SCRIPT = '/assets/index-own.js';

/** The server of the page's files: what it does with the next question. */
let serve: () => Promise<void>;
const missing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

function open(...places: Place[]) {
  const parts = places.map((place) =>
    lazyPart(
      async () => {
        await serve();
        return ({ site }: { site: string }) => <p>Webhooks of {site}</p>;
      },
      { place, waiting: <p>Loading</p> },
    ),
  );
  return render(
    <div>
      <input aria-label="A field" />
      {parts.map((Part, index) => (
        <Part key={places[index]} site="Shop" />
      ))}
    </div>,
  );
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', async () => new Response(`<script type="module" src="${OWN_SCRIPT}"></script>`));
  document.head.innerHTML = `<script type="module" src="${OWN_SCRIPT}"></script>`;
  return () => {
    document.head.innerHTML = '';
  };
});

it('is shown at once where it was loaded before', async () => {
  serve = () => Promise.resolve();
  const Part = lazyPart(async () => () => <p>Here</p>, { waiting: <p>Loading</p> });
  await Part.load();
  render(<Part />);
  expect(screen.getByText('Here')).toBeTruthy();
});

it('shows that it is loading, and that one lost answer is no failure', async () => {
  let asked = 0;
  serve = () => (asked++ === 0 ? missing() : Promise.resolve());
  open('part');
  expect(screen.getByText('Loading')).toBeTruthy();
  await screen.findByText('Webhooks of Shop');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says in its place that code is missing, of a part and of a screen, and shows it by itself when the file is back', async () => {
  serve = missing;
  open('part', 'screen', 'page');
  await waitFor(() => expect(screen.getAllByText('This part of Parley could not be loaded.')).toHaveLength(3));
  expect(screen.getByLabelText('A field')).toBeTruthy();
  serve = () => Promise.resolve();
  await waitFor(() => expect(screen.getAllByText('Webhooks of Shop')).toHaveLength(3));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('tries again by hand, keeps the focus meanwhile, and offers a reload if only that is left', async () => {
  const user = userEvent.setup();
  serve = missing;
  open('part');
  const button = await screen.findByRole('button', { name: 'Try again' });
  await user.click(button);
  expect(document.activeElement).toBe(button);
  await screen.findByRole('button', { name: 'Reload' });
  serve = () => Promise.resolve();
  await screen.findByText('Webhooks of Shop');
});

it('says that a part belongs to another release, instead of reloading under the hands of its user', async () => {
  vi.stubGlobal('fetch', async () => new Response('<script type="module" src="/assets/index-new.js"></script>'));
  serve = missing;
  open('part');
  await screen.findByText('Parley was updated. Reload the page to go on.');
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
});
