// The layers of server and client (docs/ARCHITECTURE.md): a folder may import from folders below it, not from its own layer or above.

const SERVER_FLOORS = [
  ['main', 'cli', 'maintenance'],
  ['boot'],
  ['app', 'realtime', 'features'],
  ['feature'],
  ['context'],
  ['database', 'outside'],
  ['notify'],
  ['admin', 'selfcheck', 'reports'],
  ['audit', 'overview', 'exports', 'docs', 'account', 'webhooks', 'imports'],
  ['history'],
  ['search', 'greetings'],
  ['visitors', 'assign', 'inbox'],
  ['chats'],
  ['replies'],
  ['usage'],
  ['backups', 'outages'],
  ['team', 'settings', 'apikeys'],
  ['sites', 'twofactor'],
  ['auth'],
  ['presence', 'files', 'mail', 'push', 'releases'],
  ['work'],
  ['env', 'jobs', 'migrations'],
  ['cluster'],
  ['documentCache'],
  ['http', 'namespaces', 'secrets', 'secretBox', 'connection', 'store'],
  ['batcher', 'bulk', 'csv', 'limiter', 'events', 'retry', 'storeConnection', 'driver'],
  ['scope', 'text', 'time'],
];
const CLIENT_FLOORS = [['main', 'prerender'], ['app'], ['features'], ['shared'], ['ui'], ['lib']];
/** The files of a feature that only the wiring may import. */
const SERVER_PRIVATE = new Set(['routes', 'socket', 'broadcast']);
const SERVER_WIRING = new Set(['main', 'boot', 'app', 'realtime', 'features', 'feature']);
/** The files that a client feature may import from another feature. */
const CLIENT_DOORS = new Set(['api', 'live']);

/** Why one server file may not import another, or null. */
export function serverProblem(from, to) {
  if (isContract(from)) return isContract(to) ? null : `${from} imports ${to}: a contract imports only contracts`;
  if (isContract(to)) return null;
  const source = serverRoomOf(from);
  const target = serverRoomOf(to);
  if (source.room === target.room) return null;
  if (source.room === 'store') return `${from} imports ${to}: the store may not import from the app`;
  if (target.room === 'store')
    return target.role === 'index' ? null : `${from} imports ${to}: the app may import only store/index.ts`;
  const wrong = floorProblem(SERVER_FLOORS, from, to, source, target);
  if (wrong || SERVER_WIRING.has(source.room) || !SERVER_PRIVATE.has(target.role)) return wrong;
  return `${from} imports ${to}: ${[...SERVER_PRIVATE].join(', ')} files belong to their feature alone`;
}

/** Why one client file may not import another, or null. */
export function clientProblem(from, to) {
  const source = roomOf(from);
  const target = roomOf(to);
  const wrong = floorProblem(CLIENT_FLOORS, from, to, source, target);
  const sameFeature = source.role === target.role;
  if (wrong || source.room !== 'features' || target.room !== 'features' || sameFeature) return wrong;
  const file = to.split('/').at(-1).split('.')[0];
  return CLIENT_DOORS.has(file)
    ? null
    : `${from} imports ${to}: another feature may only import ${[...CLIENT_DOORS].join(', ')}`;
}

function floorProblem(floors, from, to, source, target) {
  const floorOf = ({ room }) => floors.findIndex((rooms) => rooms.includes(room));
  const [fromFloor, toFloor] = [floorOf(source), floorOf(target)];
  if (fromFloor < 0) return `${from} belongs to no layer: add its folder to scripts/check/floors.js`;
  if (toFloor < 0) return `${to} belongs to no layer: add its folder to scripts/check/floors.js`;
  if (source.room === target.room || fromFloor < toFloor) return null;
  return `${from} imports ${to}: imports only go down, and ${source.room} is not above ${target.room}`;
}

/** `server/src/chats/model.ts` → room chats, role model; `client/src/features/inbox/api.ts` → room features, role inbox. */
function roomOf(path) {
  const [, , room = '', role = ''] = path.split('/');
  return { room: bare(room), role: bare(role) };
}

/** How a feature is wired (`server/src/chats/feature.ts`) may know all features, and none of them may know that. */
function serverRoomOf(path) {
  const found = roomOf(path);
  return found.role === 'feature' ? { room: 'feature', role: found.room } : found;
}

const bare = (name) => name.split('.')[0];
const isContract = (path) => path.endsWith('/contract.ts');
