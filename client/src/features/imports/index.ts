// The history of other chats, imported from files.
export { HistoryImport } from './HistoryImport.tsx';
