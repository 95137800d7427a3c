export { launcherOf, settingsView } from './actions.ts';
