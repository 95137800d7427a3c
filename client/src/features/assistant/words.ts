import type { ChatAssistant, HandOverReason } from 'server/contract';
import { msg, t } from '../../lib/i18n.ts';

/** Why a person took over, in English words. */
export const REASONS: Record<HandOverReason, string> = {
  asked: msg('The visitor asked for a person'),
  person: msg('The visitor wrote that they want a person'),
  unknown: msg('No published article is about it'),
  unsourced: msg('The answer was not in its sources'),
  unhelpful: msg('Two answers did not help'),
  answers: msg('It has answered often enough in this chat'),
  silent: msg('The model did not answer in time'),
  failed: msg('The model failed'),
  budget: msg('The tokens of the day are used up'),
  limit: msg('This visitor has asked often enough today'),
  restart: msg('The server was restarted in the middle'),
  agent: msg('A teammate took over'),
  off: msg('The assistant was switched off'),
  mail: msg('The visitor answered by mail'),
};

/** Why a person has the chat and not the assistant, as far as that is known. */
export function reasonOf(assistant: ChatAssistant | undefined): string | undefined {
  return assistant?.reason && t(REASONS[assistant.reason]);
}
