import { act, screen, waitFor, within } from '@testing-library/react';
import { type Site, type SitePatch, TOKEN_KEY, type WidgetConfig } from 'server/contract';
import { describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../../../test/api.ts';
import { makeSite } from '../../../../test/make.ts';
import { drafts } from '../../../lib/drafts.ts';
import { ANA, dismiss, OAK, patched, startSites } from '../testing.ts';

describe('creating a site', () => {
  async function fill(user: ReturnType<typeof startSites>['user']) {
    await user.type(await screen.findByRole('textbox', { name: 'Site name' }), 'Tea House');
    await user.type(screen.getByRole('textbox', { name: 'Domain' }), 'tea.example');
  }

  it('sends the form, shows a success message, then the embed code', async () => {
    const { user, api, path } = startSites('/dashboard/sites/new');
    const tea = makeSite({ name: 'Tea House', domain: 'tea.example', widgetCode: 'w_tea' });
    api.on('POST /sites', { site: tea });
    api.on('GET /sites/:id', { site: tea });
    await fill(user);
    await user.click(screen.getByRole('checkbox', { name: 'Offline mode' }));
    await user.click(screen.getByRole('button', { name: 'Create Site' }));
    expect(await dismiss(user)).toContain('Site created successfully! You can now copy the widget code.');
    expect(await screen.findByText(/data-site-id="w_tea"/)).toBeTruthy();
    expect(screen.getByRole('tab', { name: 'Embed Code' }).getAttribute('aria-selected')).toBe('true');
    expect(path()).toBe(`/dashboard/sites/${tea._id}?tab=embed`);
    expect(api.asked('POST /sites')[0]?.body).toMatchObject({
      name: 'Tea House',
      domain: 'tea.example',
      settings: { autoAssign: true, notifications: true, offlineMode: true },
      customization: { color: '#0088ff', position: 'right' },
    });
  });

  it('shows an error for missing fields, and sends nothing', async () => {
    const { user, api } = startSites('/dashboard/sites/new');
    await user.click(await screen.findByRole('button', { name: 'Create Site' }));
    const name = screen.getByRole('textbox', { name: 'Site name' });
    expect(name.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(name.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Enter a name for the site',
    );
    expect(document.activeElement).toBe(name);
    expect(api.asked('POST /sites')).toEqual([]);
  });

  it('takes the host of a pasted web address', async () => {
    const { user } = startSites('/dashboard/sites/new');
    const domain = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Domain' });
    await user.click(domain);
    await user.paste('https://www.oakandline.example/desks?size=140');
    expect(domain.value).toBe('www.oakandline.example');
    await user.clear(domain);
    await user.paste('oakandline.example');
    expect(domain.value).toBe('oakandline.example');
  });

  it('shows validation errors of the server together and at their fields', async () => {
    const { user, api } = startSites('/dashboard/sites/new');
    api.on(
      'POST /sites',
      new Refusal(422, {
        code: 'INVALID',
        message: 'Invalid',
        errors: [
          { path: 'name', msg: 'Name is too long' },
          { path: 'domain', msg: 'Domain must not have a protocol' },
        ],
      }),
    );
    await fill(user);
    await user.click(screen.getByRole('button', { name: 'Create Site' }));
    expect(await dismiss(user)).toContain('Validation errors: Name is too long, Domain must not have a protocol');
    expect(screen.getByRole('textbox', { name: 'Domain' }).getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('Domain must not have a protocol')).toBeTruthy();
  });

  it('shows any other error, and keeps the input', async () => {
    const { user, api } = startSites('/dashboard/sites/new');
    api.on('POST /sites', new Refusal(409, { code: 'SITE_LIMIT_REACHED', message: 'You have 3 sites already.' }));
    await fill(user);
    await user.click(screen.getByRole('button', { name: 'Create Site' }));
    expect(await dismiss(user)).toContain('Error creating site: You have 3 sites already.');
    expect(screen.getByRole('textbox', { name: 'Site name' })).toHaveProperty('value', 'Tea House');
  });

  it('keeps the input when the session ends', async () => {
    const { user, api } = startSites('/dashboard/sites/new');
    api.on('POST /sites', new Refusal(401, { code: 'UNAUTHORIZED', message: 'Log in again.' }));
    await fill(user);
    await user.click(screen.getByRole('button', { name: 'Create Site' }));
    expect(await screen.findByText('Please Log In')).toBeTruthy();
    expect(screen.getByText('You need to be logged in to create sites.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to Login' })).toBeTruthy();
    expect(localStorage.getItem(TOKEN_KEY)).toBeNull();
    expect(drafts.read(`${ANA._id}:site:new`)).toContain('Tea House');
  });

  it('restores the input after logging in again', async () => {
    drafts.write(`${ANA._id}:site:new`, JSON.stringify({ name: { mine: 'Half', base: '' } }));
    startSites('/dashboard/sites/new');
    expect(await screen.findByRole('textbox', { name: 'Site name' })).toHaveProperty('value', 'Half');
  });

  it('asks before unsaved input is discarded', async () => {
    const { user, path } = startSites('/dashboard/sites/new');
    await fill(user);
    await user.click(screen.getByRole('link', { name: 'Cancel' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Leave without saving?' }));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(path()).toBe('/dashboard/sites/new');
    await user.click(screen.getByRole('link', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Leave' }));
    expect(await screen.findByRole('heading', { name: 'Website Management' })).toBeTruthy();
    expect(drafts.keys('')).toEqual([]);
  });
});

/** Stands in for the framed widget: gives what it was last told to look like. */
function hearPreview(): () => WidgetConfig | undefined {
  const frame = screen.getByTitle<HTMLIFrameElement>('Preview of the widget').contentWindow;
  if (!frame) throw new Error('There is no frame');
  const post = vi.spyOn(frame, 'postMessage').mockReturnValue(undefined);
  const ready = { source: frame, origin: location.origin, data: { previewReady: true } };
  act(() => void window.dispatchEvent(new MessageEvent('message', ready)));
  return () => post.mock.lastCall?.[0].preview;
}

describe('the settings of a site', () => {
  const settings = `/dashboard/sites/${OAK._id}`;

  it('save the changes of all tabs', async () => {
    const { user, api } = startSites(settings);
    api.on('PATCH /sites/:id', ({ body }) => ({ site: patched(OAK, body as SitePatch) as Site }));
    const name = await screen.findByRole('textbox', { name: 'Site name' });
    await user.clear(name);
    await user.type(name, 'Oak & Co');
    await user.click(screen.getByText('More'));
    const allowed = screen.getByRole('textbox', { name: 'Allowed domains' });
    await user.click(screen.getByRole('button', { name: 'Allow only oakandline.example' }));
    expect(screen.queryByRole('button', { name: 'Allow only oakandline.example' })).toBeNull();
    await user.type(allowed, '{Enter}shop.oak.example');
    await user.click(screen.getByRole('tab', { name: 'Customization' }));
    const told = hearPreview();
    const title = screen.getByRole('textbox', { name: 'Navbar title' });
    await user.clear(title);
    await user.type(title, 'Talk to us');
    await waitFor(() => expect(told()?.customization.navbarTitle).toBe('Talk to us'));
    await user.click(screen.getByRole('button', { name: 'Show it offline' }));
    await waitFor(() => expect(told()?.online).toBe(false));
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(await dismiss(user)).toContain('Site updated successfully!');
    expect(api.asked('PATCH /sites/:id')[0]?.body).toEqual({
      name: 'Oak & Co',
      customization: { navbarTitle: 'Talk to us' },
      settings: { allowedDomains: ['oakandline.example', 'shop.oak.example'] },
      base: {
        name: OAK.name,
        customization: { navbarTitle: OAK.customization.navbarTitle },
        settings: { allowedDomains: [] },
      },
    });
    await user.click(screen.getByRole('link', { name: 'Back to Dashboard' }));
    expect(await screen.findByText('Home screen')).toBeTruthy();
  });

  it('show an error on the tab of its field', async () => {
    const { user, api } = startSites(settings);
    api.on(
      'PATCH /sites/:id',
      new Refusal(422, {
        code: 'INVALID',
        message: 'The form has errors',
        errors: [{ path: 'customization.color', msg: 'Not a colour' }],
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'Save Changes' }));
    expect(await dismiss(user)).toContain('Error saving site: The form has errors');
    expect(screen.getByRole('tab', { name: 'Customization' }).getAttribute('aria-selected')).toBe('true');
    expect(screen.getByText('Not a colour')).toBeTruthy();
  });

  it('show the team as a read-only list, and the embed code', async () => {
    const { user } = startSites(settings);
    await user.click(await screen.findByRole('tab', { name: 'Team' }));
    const team = within(screen.getByRole('list', { name: 'Team' }));
    for (const text of ['Ana Lind', 'ana@example.com', 'admin']) expect(team.getByText(text)).toBeTruthy();
    await user.click(screen.getByRole('tab', { name: 'Embed Code' }));
    expect(screen.getByText(/data-site-id="w_oak"/)).toBeTruthy();
  });

  it('are read-only for an agent', async () => {
    startSites(settings, { sites: [{ ...OAK, role: 'agent', isOwner: false }] });
    const name = await screen.findByRole('textbox', { name: 'Site name' });
    expect(name.matches(':disabled')).toBe(true);
    expect(screen.queryByRole('button', { name: 'Save Changes' })).toBeNull();
  });

  it.each(['/dashboard/sites/undefined', `/dashboard/sites/${'0'.repeat(24)}`])(
    'show ‘Invalid Site’ for %s',
    async (path) => {
      startSites(path);
      expect(await screen.findByText('Invalid Site')).toBeTruthy();
      expect(screen.getByText("The site you're trying to access doesn't exist or the URL is invalid.")).toBeTruthy();
      expect(screen.getByRole('link', { name: 'Go to Dashboard' }).getAttribute('href')).toBe('/dashboard');
    },
  );
});
