import { TOKEN_KEY } from 'server/contract';
import { describe, expect, it, vi } from 'vitest';
import { fakeApi, Refusal } from '../../test/api.ts';
import { id, makeSite } from '../../test/make.ts';
import { call } from './api.ts';
import { ApiError } from './http.ts';
import { showTexts } from './i18n.ts';
import { token } from './token.ts';

async function failureOf(answer: Promise<unknown>): Promise<ApiError> {
  const failure = await answer.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof ApiError)) throw new Error(`Expected an ApiError, got ${String(failure)}`);
  return failure;
}

const refusal = (status: number) => new Refusal(status, { code: 'NO', message: 'No.' });

describe('call', () => {
  it('builds the address, and sends query, body and token', async () => {
    const api = fakeApi();
    const site = makeSite();
    token.set('mine');
    api.on('PATCH /sites/:id', { site });
    api.on('GET /chats', { chats: [], nextCursor: null });
    expect(await call('PATCH /sites/:id', { params: { id: site._id }, body: { name: 'New' } })).toEqual({ site });
    await call('GET /chats', { query: { status: 'closed', limit: 5 } });
    expect(api.asked()).toMatchObject([
      { params: { id: site._id }, body: { name: 'New' }, bearer: 'mine' },
      { query: { status: 'closed', limit: '5' }, bearer: 'mine' },
    ]);
  });

  it("passes the server's message on", async () => {
    const errors = [{ msg: 'Domain is required', path: 'domain' }];
    fakeApi().on('POST /sites', new Refusal(422, { code: 'VALIDATION_FAILED', message: 'Check it', errors }));
    const failure = await failureOf(call('POST /sites', { body: { name: '', domain: '' } }));
    expect(failure).toMatchObject({ status: 422, code: 'VALIDATION_FAILED', message: 'Check it', errors });
  });

  it('says it in the language shown, with its values and the names of fields', async () => {
    showTexts('de', {
      'Claimed by {name}.': 'Von {name} übernommen.',
      '{field} is too long': '{field} ist zu lang',
      Domain: 'Domäne',
    });
    const values = { name: 'محمد' };
    const errors = [
      {
        msg: 'Domain is too long',
        text: '{field} is too long',
        values: { field: { text: 'Domain' } },
        path: 'domain',
      },
    ];
    const message = 'Claimed by محمد.';
    fakeApi().on('POST /sites', new Refusal(409, { code: 'NO', message, text: 'Claimed by {name}.', values, errors }));
    const failure = await failureOf(call('POST /sites', { body: { name: '', domain: '' } }));
    expect(failure.message).toBe('Von \u2068محمد\u2069 übernommen.');
    expect(failure.errors[0]?.msg).toBe('Domäne ist zu lang');
    showTexts('en', {});
  });

  it('fails with NETWORK when there is no answer', async () => {
    fakeApi();
    expect(await failureOf(call('GET /sites'))).toMatchObject({ status: 0, code: 'NETWORK' });
  });

  it('fails with UNKNOWN when the answer is not from a Parley server', async () => {
    vi.stubGlobal('fetch', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(await failureOf(call('GET /sites'))).toMatchObject({ status: 502, code: 'UNKNOWN' });
  });

  it.each([
    [403, 'Access denied'],
    [404, 'Resource not found'],
    [422, 'Validation error'],
    [500, 'Server error'],
    [409, 'API error'],
  ])('logs %i as %s', async (status, words) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    fakeApi().on('GET /sites/:id', refusal(status));
    await failureOf(call('GET /sites/:id', { params: { id: id() } }));
    expect(logged).toHaveBeenCalledExactlyOnceWith(words, expect.anything());
  });

  it('does not log a cancelled call', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const giveUp = new AbortController();
    fakeApi().on('GET /sites', { sites: [], limit: 3 });
    const answer = call('GET /sites', { signal: giveUp.signal });
    giveUp.abort();
    await expect(answer).rejects.toMatchObject({ name: 'CanceledError' });
    expect(logged).not.toHaveBeenCalled();
  });
});

describe('a 401', () => {
  it('removes the token', async () => {
    token.set('dead');
    fakeApi().on('GET /sites', refusal(401));
    await failureOf(call('GET /sites'));
    expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
  });

  it('to a login attempt removes nothing', async () => {
    token.set('other');
    fakeApi().on('POST /auth/login', refusal(401));
    await failureOf(call('POST /auth/login', { body: { email: 'a@b.c', password: 'x' } }));
    expect(token.get()).toBe('other');
  });

  it('to a call with an older token keeps the new one', async () => {
    token.set('old');
    fakeApi().on('GET /sites', () => {
      token.set('new');
      return refusal(401);
    });
    await failureOf(call('GET /sites'));
    expect(token.get()).toBe('new');
  });
});
