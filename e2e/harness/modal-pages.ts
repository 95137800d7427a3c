import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** The inside of each modal. */
const REACT_FIELD = `createElement('input', { 'aria-label': 'Newsletter' })`;

/** Scripts that open a modal with a field, by the library whose focus trap keeps the focus in it. */
const MODALS = {
  bootstrap: `
    import { Modal } from 'bootstrap';
    document.body.insertAdjacentHTML('beforeend',
      '<div class="modal" tabindex="-1"><div class="modal-dialog"><input aria-label="Newsletter"></div></div>');
    new Modal('.modal').show();`,
  'focus-trap': `
    import { createFocusTrap } from 'focus-trap';
    document.body.insertAdjacentHTML('beforeend', '<div role="dialog"><input aria-label="Newsletter"></div>');
    createFocusTrap('[role=dialog]').activate();`,
  '@mui/material': `
    import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    import Modal from '@mui/material/Modal';
    const root = document.body.appendChild(document.createElement('div'));
    const close = () => document.querySelector('[aria-label=Newsletter]').remove();
    createRoot(root).render(createElement(Modal, { open: true, onClose: close }, createElement('div', { tabIndex: -1 }, ${REACT_FIELD})));`,
  'radix-ui': `
    import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    import { Dialog } from 'radix-ui';
    const root = document.body.appendChild(document.createElement('div'));
    const content = createElement(Dialog.Content, { 'aria-describedby': undefined },
      createElement(Dialog.Title, null, 'News'), ${REACT_FIELD});
    createRoot(root).render(createElement(Dialog.Root, { defaultOpen: true },
      createElement(Dialog.Portal, null, createElement(Dialog.Overlay), content)));`,
};

export type ModalLibrary = keyof typeof MODALS;
export const MODAL_LIBRARIES = Object.keys(MODALS) as ModalLibrary[];

/** The HTML of a page on which a modal of this library opens, with the library itself. */
export async function pageWithModal(library: ModalLibrary): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: MODALS[library], resolveDir: FOLDER },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return `<script type="module">${outputFiles[0]?.text.replaceAll('</script', '<\\/script')}</script>`;
}
