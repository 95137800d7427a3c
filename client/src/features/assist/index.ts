// The assistant as the team sees it: its settings, what it does in a chat, and its figures.
export { AssistantBar } from './chat/AssistantBar.tsx';
export { Sources } from './chat/Sources.tsx';
export { reasonOf } from './words.ts';
