export { ownChat } from './actions.ts';
export { anyPage, createVisitorGuard, visitorSite, widgetSite } from './guards.ts';
export { findImportedPeople, type ImportedPerson, removeErased, storePeople } from './importing.ts';
export { type VisitorAccess, type VisitorDoc, VisitorModel } from './model.ts';
export { answersOf, storeAnswers, visitorDetails } from './people/people.ts';
export { widgetCors } from './routes.ts';
export { createLongPolls, type LongPolls } from './session/longPoll.ts';
export { createResumeLinks, isMachine, RESUME_DAYS, type ResumeLinks } from './session/session.ts';
export { guardVisitors, routeVisitorEvents, type VisitorRouter, welcomeVisitor } from './socket.ts';
