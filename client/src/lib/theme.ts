import { useSyncExternalStore } from 'react';
import { localStore } from './storage.ts';

type Theme = 'light' | 'dark';

/** Also read by `public/boot.js`. */
const THEME_KEY = 'parley_theme';
const PAPER = { light: '#f7f6f3', dark: '#121110' };

const listeners = new Set<() => void>();

function system(): MediaQueryList {
  return window.matchMedia('(prefers-color-scheme: dark)');
}

function wanted(): Theme {
  const choice = localStore.get(THEME_KEY);
  if (choice === 'light' || choice === 'dark') return choice;
  return system().matches ? 'dark' : 'light';
}

function shown(): Theme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
}

function show(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', PAPER[theme]);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function toggle(): void {
  const other = shown() === 'dark' ? 'light' : 'dark';
  localStore.set(THEME_KEY, other);
  show(other);
}

/** Dark mode: follows the system and the choice made in other tabs, for as long as the page lives. */
export function followTheme(): void {
  system().addEventListener('change', () => show(wanted()));
  window.addEventListener('storage', (event) => event.key === THEME_KEY && show(wanted()));
}

/** Whether the page is dark, as the system has it until somebody chooses, and what turns it. */
export function useDarkTheme(): [isDark: boolean, toggle: () => void] {
  return [useSyncExternalStore(subscribe, shown, () => 'light') === 'dark', toggle];
}
