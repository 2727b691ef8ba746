// Reference of start.mjs: an Express server with one route that reads SQLite.
import { DatabaseSync } from 'node:sqlite';
import express from 'express';

const database = new DatabaseSync(process.argv[2].slice('sqlite:'.length));
const app = express();
app.get('/oauth/userinfo', (_request, response) => {
  response.json(database.prepare('select count(*) as users from users').get());
});
const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('message', () => process.send({ bytes: process.memoryUsage.rss(), cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
