// The reference for messages, in a process of its own: a Socket.IO server that sends visitors' messages to the room of the
// agents and acknowledges them, and stores nothing. Prints its address.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const http = createServer();
const io = new Server(http, { transports: ['websocket'], perMessageDeflate: false, serveClient: false });
const agents = io.of('/').on('connection', (socket) => socket.join('agents'));

io.of('/visitor').on('connection', (socket) => {
  socket.on('send_message', ({ chatId, content }, ack) => {
    agents.to('agents').emit('new_message', { chatId, message: { content } });
    ack({ ok: true });
  });
  socket.on('sync', (_held, ack) => ack({ ok: true }));
});

http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}`));
