import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Refusal } from '../../../../test/api.ts';
import { fakeUploads } from '../../../../test/upload.ts';
import { drafts } from '../../../lib/drafts.ts';
import { makeArticle, makeHelp, makeText, OAK, startHelp } from '../testing.ts';

const text = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text of the article' });
const title = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' });
const button = (name: string) => screen.getByRole('button', { name });
const isSaved = () => screen.findByText('Saved');

async function open(article = makeArticle(), help = makeHelp()) {
  const started = startHelp({ help, articles: [article], path: `/dashboard/help/${article._id}` });
  await screen.findByRole('textbox', { name: 'Title' });
  const puts = () => started.api.asked('PUT /articles/:id/texts/:lang');
  return { ...started, article, puts };
}

/** Answers the next saves when the test says so. */
function hold({ api, world }: Awaited<ReturnType<typeof open>>) {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  api.on('PUT /articles/:id/texts/:lang', async ({ body }) => {
    await held;
    const article = world.articles[0] ?? makeArticle();
    const [before = makeText()] = article.texts;
    const { rev, ...written } = body as { rev: number };
    article.texts = [{ ...before, ...written, rev: rev + 1 }];
    return { article: structuredClone(article) };
  });
  return release;
}

it('saves what is typed after a pause, only what has changed, and goes on while it is saved', async () => {
  const opened = await open();
  const { user, puts } = opened;
  const release = hold(opened);
  await user.type(text(), ' Bring the receipt.');
  await screen.findByText('Saving…');
  await waitFor(() => expect(puts()).toHaveLength(1));
  expect(puts()[0]?.body).toEqual({ text: 'Within 30 days. Bring the receipt.', rev: 1 });
  await user.type(text(), ' And ');
  release();
  await waitFor(() => expect(puts()).toHaveLength(2));
  expect(puts()[1]?.body).toEqual({ text: 'Within 30 days. Bring the receipt. And ', rev: 2 });
  await isSaved();
  expect([text().value, drafts.keys('')]).toEqual(['Within 30 days. Bring the receipt. And ', []]);
});

it('keeps a blank at the end of a title that the server takes away', async () => {
  const { user, puts } = await open();
  await user.type(title(), ' Or ');
  await waitFor(() => expect(puts()).toHaveLength(1));
  await isSaved();
  await user.type(title(), 'a chair');
  expect(title().value).toBe('How do I return a table? Or a chair');
});

it('keeps what cannot be saved in this browser, says so, and saves it on the next visit', async () => {
  const { user, api, article } = await open();
  api.on('PUT /articles/:id/texts/:lang', () => {
    throw new TypeError('offline');
  });
  await user.type(text(), ' Offline.');
  expect(await screen.findByText(/^Not saved. It is kept in this browser/)).toBeTruthy();
  expect(drafts.keys('')).toHaveLength(1);
  await user.click(button('Publish'));
  expect(await screen.findByText(/The article could not be published/)).toBeTruthy();
  expect([api.asked('POST /articles/:id/publish'), text().value]).toEqual([[], 'Within 30 days. Offline.']);
  api.on('PUT /articles/:id/texts/:lang', ({ body }) => {
    const saved = { ...makeText(), ...Object(body), rev: 2 };
    return { article: { ...article, texts: [saved] } };
  });
  await user.click(screen.getAllByRole('button', { name: 'Try again' })[0] ?? document.body);
  await isSaved();
  expect(drafts.keys('')).toEqual([]);
});

it('takes over what others save where nothing was changed, and merges other fields', async () => {
  const { user, socket, elsewhere, article, puts } = await open();
  elsewhere(article._id, 'en', { text: 'Within 60 days.' });
  act(() => socket.tell('articles_updated', { siteId: OAK._id, articleId: article._id }));
  await waitFor(() => expect(text().value).toBe('Within 60 days.'));
  elsewhere(article._id, 'en', { description: 'Returns' });
  await user.type(title(), ' Or a chair?');
  await waitFor(() => expect(puts().at(-1)?.body).toMatchObject({ rev: 3 }));
  await isSaved();
  expect(screen.getByRole('textbox', { name: 'Description' })).toHaveProperty('value', 'Returns');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('shows both where both have written, goes on typing, and overwrites nobody before one is chosen', async () => {
  const { user, elsewhere, article, puts, world } = await open();
  elsewhere(article._id, 'en', { text: 'Theirs.' });
  await user.clear(text());
  await user.type(text(), 'Mine.');
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByRole('region', { name: 'Text: yours' }).textContent).toContain('Mine.');
  expect(alert.getByRole('region', { name: 'Text: theirs' }).textContent).toContain('Theirs.');
  const asked = puts().length;
  await user.type(text(), ' More.');
  expect(alert.getByRole('region', { name: 'Text: yours' }).textContent).toContain('Mine. More.');
  expect(puts()).toHaveLength(asked);
  expect(world.articles[0]?.texts[0]?.text).toBe('Theirs.');
  await user.click(alert.getByRole('button', { name: 'Save mine instead' }));
  await waitFor(() => expect(world.articles[0]?.texts[0]?.text).toBe('Mine. More.'));
  expect(puts().at(-1)?.body).toEqual({ text: 'Mine. More.', rev: 2 });
});

it('takes theirs instead', async () => {
  const { user, elsewhere, article, puts } = await open();
  elsewhere(article._id, 'en', { text: 'Theirs.' });
  await user.type(text(), ' Mine.');
  await user.click(await screen.findByRole('button', { name: 'Take theirs' }));
  expect(text().value).toBe('Theirs.');
  await isSaved();
  expect(puts()).toHaveLength(1);
});

it('saves one language while another is shown', async () => {
  const article = makeArticle({ texts: [makeText(), makeText({ lang: 'de', title: 'Rückgabe', outdated: true })] });
  const { user, world } = await open(article, makeHelp({ languages: ['de', 'fr'] }));
  await user.type(text(), ' Now.');
  await user.click(button('German outdated'));
  expect(title().value).toBe('Rückgabe');
  expect(screen.getByText('The original was changed after this translation.')).toBeTruthy();
  await user.type(title(), ' eines Tisches');
  await waitFor(() =>
    expect(world.articles[0]?.texts.map((each) => [each.lang, each.title, each.text])).toEqual([
      ['en', 'How do I return a table?', 'Within 30 days. Now.'],
      ['de', 'Rückgabe eines Tisches', 'Within 30 days.'],
    ]),
  );
  await user.click(button('Add translation'));
  await user.click(await screen.findByRole('menuitem', { name: 'French' }));
  expect(title().value).toBe('');
  await user.click(button('Original'));
  await user.click(button('Begin the translation with this text'));
  await waitFor(() =>
    expect(world.articles[0]?.texts.find(({ lang }) => lang === 'fr')?.text).toBe('Within 30 days. Now.'),
  );
});

it('saves at once when the screen is left', async () => {
  const { user, world } = await open();
  await user.type(text(), ' Left.');
  await user.click(screen.getByRole('link', { name: 'All articles' }));
  await waitFor(() => expect(world.articles[0]?.texts[0]?.text).toBe('Within 30 days. Left.'));
});

it('takes pasted pictures in while it saves, each in its place', async () => {
  const sent = fakeUploads();
  const { user, article, puts } = await open();
  await user.type(text(), ' Look:');
  const shot = new File(['x'], 'shot.png', { type: 'image/png' });
  fireEvent.paste(text(), { clipboardData: { files: [shot] } });
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ path: `/api/articles/${article._id}/pictures`, query: { name: 'shot.png' } });
  act(() => sent[0]?.progress(0.4));
  expect(screen.getByRole('progressbar', { name: 'Sending shot.png' }).ariaValueNow).toBe('40');
  await user.keyboard('{Enter}Thanks');
  await waitFor(() => expect(puts()).toHaveLength(1));
  // The server never sees the placeholder.
  expect(puts()[0]?.body).toEqual({ text: 'Within 30 days. Look:\n\n\nThanks', rev: 1 });
  await act(async () => sent[0]?.answer(200, { success: true, data: { url: '/api/files/k.png' } }));
  expect(text().value).toBe('Within 30 days. Look:\n\n![shot](/api/files/k.png)\nThanks');
  await waitFor(() => expect(puts()).toHaveLength(2));
  await isSaved();
});

it('leaves the caret behind a picture that has come', async () => {
  const sent = fakeUploads();
  const { user } = await open();
  await user.click(text());
  text().setSelectionRange(15, 15);
  const picture = new File(['x'], 'a.png', { type: 'image/png' });
  fireEvent.paste(text(), { clipboardData: { files: [picture] } });
  await waitFor(() => expect(sent).toHaveLength(1));
  await act(async () => sent[0]?.answer(200, { success: true, data: { url: '/api/files/k' } }));
  await user.keyboard('!');
  expect(text().value).toBe('Within 30 days.\n\n![a](/api/files/k)!');
});

it('says when a picture is refused, and leaves nothing of it', async () => {
  const sent = fakeUploads();
  await open();
  const shot = new File(['x'], 'shot.png', { type: 'image/png' });
  fireEvent.drop(text(), { dataTransfer: { files: [shot] } });
  await waitFor(() => expect(sent).toHaveLength(1));
  const refusal = { success: false, code: 'UNSUPPORTED', message: 'This is no picture.' };
  await act(async () => sent[0]?.answer(415, refusal));
  expect(await screen.findByText('This is no picture.')).toBeTruthy();
  expect(text().value.trim()).toBe('Within 30 days.');
});

it('formats by buttons and keys', async () => {
  const { user } = await open();
  text().setSelectionRange(0, 6);
  await user.click(button('Bold · Ctrl+B'));
  expect(text().value).toBe('**Within** 30 days.');
  await user.keyboard('{Control>}b{/Control}');
  expect(text().value).toBe('Within 30 days.');
});

it('publishes what the screen shows, and says what changed since', async () => {
  const { user, api, puts } = await open();
  await user.type(text(), ' Soon.');
  await user.click(button('Publish'));
  await waitFor(() => expect(api.asked('POST /articles/:id/publish')).toHaveLength(1));
  expect(puts()[0]?.body).toMatchObject({ text: 'Within 30 days. Soon.' });
  expect(await screen.findByRole('button', { name: 'Published' })).toHaveProperty('disabled', true);
  await user.type(text(), ' Later.');
  expect(button('Publish changes')).toHaveProperty('disabled', false);
  await user.click(button('More'));
  await user.click(await screen.findByRole('menuitem', { name: 'Withdraw' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Withdraw' }));
  expect(await screen.findByRole('button', { name: 'Publish' })).toBeTruthy();
  expect(api.asked('PATCH /articles/:id')[0]?.body).toEqual({ status: 'draft' });
});

it('shows a refused field, and saves again once it is changed', async () => {
  const { user, api } = await open();
  const msg = 'The address is taken';
  const errors = [{ msg, path: 'slug' }];
  api.on('PUT /articles/:id/texts/:lang', new Refusal(422, { code: 'INVALID', message: msg, errors }));
  await user.type(screen.getByRole('textbox', { name: 'Address' }), 's');
  expect((await screen.findAllByText(msg)).length).toBeGreaterThan(0);
  api.on('PUT /articles/:id/texts/:lang', ({ body }) => ({
    article: makeArticle({ texts: [makeText({ ...Object(body), rev: 2 })] }),
  }));
  await user.type(screen.getByRole('textbox', { name: 'Address' }), '2');
  await isSaved();
});

it('previews, the last text wins, and links open elsewhere', async () => {
  const { user, api } = await open();
  const openWindow = vi.spyOn(window, 'open').mockReturnValue(null);
  api.on('POST /sites/:id/articles/preview', ({ body }) => ({
    html: `<p>${Object(body).text} <a href="https://oak.example">a shop</a></p>`,
  }));
  await user.type(text(), ' Really.');
  expect(await screen.findByText(/Within 30 days. Really./, { selector: 'p' })).toBeTruthy();
  await user.click(screen.getByText('a shop'));
  expect(openWindow).toHaveBeenCalledWith('https://oak.example', '_blank', 'noopener');
});

it('lists versions and brings one back', async () => {
  const { user, api, article } = await open();
  const version = {
    _id: 'v1',
    lang: 'en' as const,
    at: '2026-01-04T09:00:00.000Z',
    by: { _id: 'b', name: 'Ben Roy' },
    title: 'How to return',
    published: true,
    added: 12,
    removed: 3,
  };
  api.on('GET /articles/:id/versions', { versions: [version] });
  api.on('GET /articles/:id/versions/:versionId', { version: { ...version, text: 'Within 14 days.' } });
  api.on('POST /articles/:id/versions/:versionId/restore', {
    article: { ...article, texts: [makeText({ text: 'Within 14 days.', rev: 2 })] },
  });
  await user.click(button('More'));
  await user.click(await screen.findByRole('menuitem', { name: 'Versions' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Versions' }));
  await user.click(await panel.findByRole('button', { name: /Ben Roy.*12 characters added, 3 removed/ }));
  await panel.findByText('Within 14 days.');
  await user.click(panel.getByRole('button', { name: 'Restore this version' }));
  await waitFor(() => expect(text().value).toBe('Within 14 days.'));
  expect(api.asked('POST /articles/:id/versions/:versionId/restore')[0]?.body).toEqual({ rev: 1 });
});

it('is read only for who may not write', async () => {
  const article = makeArticle();
  const site = { ...OAK, role: 'agent' as const, isOwner: false };
  startHelp({ articles: [article], site, path: `/dashboard/help/${article._id}` });
  expect((await screen.findByRole('textbox', { name: 'Title' })).hasAttribute('readonly')).toBe(true);
  expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull();
});
