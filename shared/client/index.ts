export { type Client, createClient } from './client.ts';
export { ApiError, UnexpectedAnswerError, UnreachableError } from './errors.ts';
export { createRooms } from './rooms.ts';
