// The reference for messages, in a process of its own: a Socket.IO server that sends messages, receipts and typing to the room
// of the other side and acknowledges them; visitors' messages come over HTTP, too, with Express. It stores nothing, unless it is
// given the path of a file: then a visitor's message is on the disk before anybody gets it. Prints its address.
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import express from 'express';
import { Server } from 'socket.io';

const app = express();
const http = createServer(app);
const io = new Server(http, { transports: ['websocket'], perMessageDeflate: false, serveClient: false });
const agents = io.of('/');
const visitors = io.of('/visitor');
/** The number of each chat's newest message. */
const newest = new Map();
const [, , path] = process.argv;
const file = path && (await open(path, 'a'));

agents.on('connection', (socket) => {
  socket.join('agents');
  socket.on('send_message', (asked, ack) => {
    const message = numbered(asked);
    visitors.to(asked.chatId).emit('new_message', { message });
    ack({ ok: true, message });
  });
  relay(socket, (chatId) => visitors.to(chatId));
});

visitors.on('connection', (socket) => {
  socket.on('send_message', async (asked, ack) => ack({ ok: true, message: await fromVisitor(asked) }));
  socket.on('sync', ({ chatId }, ack) => {
    socket.join(chatId);
    ack({ ok: true });
  });
  relay(socket, () => agents.to('agents'));
});

app.post('/messages', express.json(), async ({ body }, res) => {
  res.status(201).json({ success: true, data: { message: await fromVisitor(body) } });
});

async function fromVisitor(asked) {
  const message = numbered(asked);
  if (file) {
    await file.appendFile(`${JSON.stringify(message)}\n`);
    await file.datasync();
  }
  agents.to('agents').emit('new_message', { chatId: asked.chatId, message });
  return message;
}

function relay(socket, othersOf) {
  for (const event of ['received', 'read', 'typing'])
    socket.on(event, (told, ack) => {
      othersOf(told.chatId).emit(event, told);
      ack({ ok: true });
    });
}

function numbered({ chatId, clientId, content }) {
  const seq = (newest.get(chatId) ?? 0) + 1;
  newest.set(chatId, seq);
  return { clientId, content, seq };
}

http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}`));
