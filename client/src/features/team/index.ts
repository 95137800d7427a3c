// The people of a website: invites, roles, and whom a chat can be handed to.
export { useEverybody, useLeaveTeam, useMembers } from './api.ts';
export { useTeamLive } from './live.ts';
export { repliersOf, Teammates } from './Teammates.tsx';
export { TeamTab } from './TeamTab.tsx';
