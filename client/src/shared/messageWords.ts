import type { StaffMessage } from 'server/contract';
import { t } from '../lib/i18n.ts';

/** Who wrote a message, as one reads it. */
export function authorOf({ sender, senderName }: Pick<StaffMessage, 'sender' | 'senderName'>, visitor: string): string {
  if (sender === 'visitor') return visitor;
  return senderName || (sender === 'assistant' ? t('Assistant') : t('Team'));
}

/** What Parley itself reports in a chat. The sentence of a hand-over is the visitor's, in their language. */
export function systemText({ event, content }: Pick<StaffMessage, 'event' | 'content'>): string {
  return event === 'handed_over' ? t('The assistant handed over to a person') : t(content);
}
