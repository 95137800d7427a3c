// The dashboard's home: figures and recent activity.
export { useOverviewLive } from './live.ts';
