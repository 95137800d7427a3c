import { Moon, Sun } from 'lucide-react';
import { t } from '../lib/i18n.ts';
import { useDarkTheme } from '../lib/theme.ts';
import { IconButton } from './IconButton.tsx';

/** Turns the page dark or light. */
export function ThemeSwitch() {
  const [dark, toggle] = useDarkTheme();
  return (
    <IconButton label={dark ? t('Use the light theme') : t('Use the dark theme')} onClick={toggle}>
      {dark ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />}
    </IconButton>
  );
}
