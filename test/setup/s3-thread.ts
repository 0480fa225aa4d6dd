import { parentPort } from 'node:worker_threads';
import { startS3Server } from './s3-server.ts';

// An object storage in a thread of its own, so that its memory is not that of the test.
const { url } = await startS3Server();
parentPort?.postMessage(url);
