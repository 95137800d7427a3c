import {
  LAUNCHER_OFFSET,
  LAUNCHER_OFFSET_MAX,
  LAUNCHER_PAGE_MAX_LENGTH,
  LAUNCHER_PAGES_MAX,
  type Launcher,
} from 'server/contract';
import { t } from '../../../lib/i18n.ts';

/** As it is sent: an editor's empty lines are no pages. */
export function tidyLauncher(launcher: Launcher): Launcher {
  return { ...launcher, text: launcher.text.trim(), hideOn: filled(launcher.hideOn) };
}

/** What is wrong with the pages, in a sentence; null: nothing. */
export function pagesProblem(pages: string[]): string | null {
  const parts = filled(pages);
  if (parts.length > LAUNCHER_PAGES_MAX) return t('Enter up to {max} lines', { max: LAUNCHER_PAGES_MAX });
  return parts.some((part) => part.length > LAUNCHER_PAGE_MAX_LENGTH)
    ? t('A line can have up to {max} characters', { max: LAUNCHER_PAGE_MAX_LENGTH })
    : null;
}

/** As the preview shows it: on every page, and with a distance while one is being typed. */
export function previewedLauncher(launcher: Launcher): Launcher {
  return { ...tidyLauncher(launcher), side: within(launcher.side), bottom: within(launcher.bottom), hideOn: [] };
}

function within(pixels: number): number {
  return Number.isInteger(pixels) && pixels >= 0 && pixels <= LAUNCHER_OFFSET_MAX ? pixels : LAUNCHER_OFFSET;
}

function filled(lines: string[]): string[] {
  return lines.map((line) => line.trim()).filter(Boolean);
}
