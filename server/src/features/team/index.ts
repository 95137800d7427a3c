export { allowsSignup } from './invites.ts';
export { dropMember } from './members.ts';
export { type Invited, removeInvitesBy } from './model.ts';
