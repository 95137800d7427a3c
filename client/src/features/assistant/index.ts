// The assistant as the team sees it: its settings, what it does in a chat, and its figures.

export { SummaryNote } from './agents/SummaryNote.tsx';
export { useCanWrite } from './agents/stream.ts';
export { CanTranslateContext, useTranslation } from './agents/translation.tsx';
export { WriterMenu, WriterStatus } from './agents/WriterMenu.tsx';
export { requestSummary, useWriter } from './agents/writer.ts';
export { AssistantBar, SentButton } from './chat/AssistantBar.tsx';
export { Sources } from './chat/Sources.tsx';
export { reasonOf } from './words.ts';

/** The section of the reports, a script of its own. */
export const loadAssistantReport = async () => (await import('./reports/AssistantReport.tsx')).AssistantReport;
