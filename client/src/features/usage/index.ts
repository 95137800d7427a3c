// What a website stores, and the warnings before it is full.
export { useNotices } from './api.ts';
export { useUsageLive } from './live.ts';
export { Notices } from './Notices.tsx';
