export { ProviderButton, unseenUntilKnown, useProvider } from './ProviderButton.tsx';
export { ticketIn, useTicketSignIn } from './ticket.ts';
