import { Moon, Sun } from 'lucide-react';
import { t } from '../lib/i18n.ts';
import { useTheme } from '../lib/theme.ts';
import { IconButton } from './IconButton.tsx';

/** Turns the page dark or light. */
export function ThemeSwitch() {
  const [theme, choose] = useTheme();
  const dark = theme === 'dark';
  return (
    <IconButton
      label={dark ? t('Use the light theme') : t('Use the dark theme')}
      onClick={() => choose(dark ? 'light' : 'dark')}
    >
      {dark ? <Sun size={18} aria-hidden /> : <Moon size={18} aria-hidden />}
    </IconButton>
  );
}
