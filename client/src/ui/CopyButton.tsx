import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { msg, t } from '../lib/i18n.ts';
import { Button } from './Button.tsx';

const OUTCOME_SHOWS_MS = 2_000;

/** Copies `text`; a check shows for two seconds. */
export function CopyButton({ text, label = t('Copy') }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<'Copied' | 'Not allowed' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), OUTCOME_SHOWS_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    copyText(text).then(
      () => setOutcome(msg('Copied')),
      () => setOutcome(msg('Not allowed')),
    );
  return (
    <Button variant="secondary" size="sm" onClick={copy}>
      {outcome === 'Copied' ? <Check size={16} aria-hidden className="text-success" /> : <Copy size={16} aria-hidden />}
      <span aria-live="polite">{outcome ? t(outcome) : label}</span>
    </Button>
  );
}

/** The clipboard API is missing on pages served without TLS, as on a first try in a local network. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'fixed opacity-0';
  (document.activeElement?.parentElement ?? document.body).append(area);
  const before = document.activeElement;
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!done) throw new Error('The copy command was refused');
}
