// Runs before the first paint and before any module: a dark page must never flash white (the rest is in
// src/lib/theme.ts), and libraries that write styles at run time must know the nonce when they are loaded.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem('parley_theme');
  } catch {
    // No storage: the system decides.
  }
  const dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';

  const nonce = document.querySelector('meta[name="csp-nonce"]')?.content;
  window.__nonce__ = nonce; // goober, in react-hot-toast
  window.__webpack_nonce__ = nonce; // get-nonce, in Radix's scroll lock
})();
