// npm run model:stand-in [-- PORT]: a server that speaks the protocol of a language model and knows nothing, for trying the assistant
// without one. Set AI_URL to the address that it prints, and AI_MODEL to stand-in, or to stand-in:SCRIPT with one of the scripts in
// scripts/model/scripts.js.
import { SCRIPTS } from './model/scripts.js';
import { startModelStandIn } from './model/standIn.js';

const PORT = 11_435;
const [given = `${PORT}`] = process.argv.slice(2);
const { url } = await startModelStandIn({ port: Number(given) });
console.log(`The stand-in answers at ${url}. Start Parley with:\n  AI_URL=${url} AI_MODEL=stand-in npm start`);
console.log(`AI_MODEL=stand-in:SCRIPT plays another script: ${Object.keys(SCRIPTS).join(', ')}.`);
