import { ArrowDown, ArrowUp } from 'lucide-react';
import { t } from '../lib/i18n.ts';
import { IconButton } from './IconButton.tsx';

interface MoveButtonsProps {
  /** What is moved. */
  name: string;
  /** Left out: it is the first. */
  onUp: (() => void) | undefined;
  /** Left out: it is the last. */
  onDown: (() => void) | undefined;
}

/** Moves an entry of a list that users sort, by one place. */
export function MoveButtons({ name, onUp, onDown }: MoveButtonsProps) {
  return (
    <>
      <IconButton label={t('Move {name} up', { name })} size="sm" disabled={!onUp} onClick={onUp}>
        <ArrowUp size={16} aria-hidden />
      </IconButton>
      <IconButton label={t('Move {name} down', { name })} size="sm" disabled={!onDown} onClick={onDown}>
        <ArrowDown size={16} aria-hidden />
      </IconButton>
    </>
  );
}
