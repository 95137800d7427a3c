// The floors of server and client (docs/ARCHITECTURE.md): a file imports from its own floor and from those below it.

/** The programs that can be started are files; every other floor is a folder. */
const SERVER_FLOORS = [['main', 'cli', 'maintenance'], ['app'], ['features'], ['platform'], ['store']];
const CLIENT_FLOORS = [['main', 'prerender'], ['app'], ['features'], ['shared'], ['ui'], ['lib']];
/** What another room may import of a server's room. Its `feature.ts` is for the list of all features alone. */
const SERVER_FACES = new Set(['index', 'contract']);
/** What worker threads import of another room: this file, and not all that its room needs. */
const FOR_WORKERS = new Set(['server/src/features/chats/messages/importedMessages.ts']);
/** What others may import of a client's feature; the wiring may import its screens, too. */
const CLIENT_FACE = /^client\/src\/features\/\w+\/index\.ts$/;
const CLIENT_SCREEN = /Page\.tsx$/;

/** Why one server file may not import another, or null. */
export function serverProblem(from, to) {
  if (isContract(from)) return isContract(to) ? null : `${from} imports ${to}: a contract imports only contracts`;
  if (isContract(to)) return null;
  const [source, target] = [serverRoomOf(from), serverRoomOf(to)];
  if (source === target)
    return isIndex(to) && from !== to ? `${from} imports ${to}: a room's own files import each other` : null;
  if (isWiring(from) && target === 'app') return null;
  const wrong = floorProblem(SERVER_FLOORS, from, to);
  if (wrong || target === 'app') return wrong;
  if (isWiring(to) && from === 'server/src/app/features.ts') return null;
  const file = bare(to.split('/').at(-1));
  return SERVER_FACES.has(file) || FOR_WORKERS.has(to)
    ? null
    : `${from} imports ${to}: other rooms import only ${[...SERVER_FACES].join(' and ')}`;
}

/** The room of a server file: `features/chats`, `platform/http`, `store`, `app`, or the program that it is. */
export function serverRoomOf(path) {
  const [, , floor = '', room = ''] = path.split('/');
  return ['features', 'platform'].includes(floor) ? `${floor}/${room}` : bare(floor);
}

/** Why one client file may not import another, or null. */
export function clientProblem(from, to) {
  const wrong = floorProblem(CLIENT_FLOORS, from, to);
  const [source, target] = [from, to].map(clientRoomOf);
  if (wrong || source === target || !target.startsWith('features/')) return wrong;
  if (CLIENT_FACE.test(to) || (!source.startsWith('features/') && CLIENT_SCREEN.test(to))) return null;
  return `${from} imports ${to}: of another feature, only its index.ts may be imported`;
}

function floorProblem(floors, from, to) {
  const [source, target] = [from, to].map((path) => bare(path.split('/')[2]));
  const [fromFloor, toFloor] = [source, target].map((name) => floors.findIndex((names) => names.includes(name)));
  if (fromFloor < 0) return `${from} is on no floor: scripts/check/floors.js lists them`;
  if (toFloor < 0) return `${to} is on no floor: scripts/check/floors.js lists them`;
  return fromFloor <= toFloor
    ? null
    : `${from} imports ${to}: imports only go down, and ${source} is not above ${target}`;
}

function clientRoomOf(path) {
  const [, , floor = '', room = ''] = path.split('/');
  return floor === 'features' ? `${floor}/${bare(room)}` : bare(floor);
}

const bare = (name) => name.split('.')[0];
const isContract = (path) => path.endsWith('/contract.ts');
const isIndex = (path) => path.endsWith('/index.ts');
/** How a feature is wired knows the whole application, and nothing of a feature knows that. */
const isWiring = (path) => path.endsWith('/feature.ts');
