export type { CallOptions, InputOf, NamedFile } from './call.ts';
export { type Client, createClient } from './client.ts';
export { ApiError, UnexpectedAnswerError, UnreachableError } from './errors.ts';
export { type ClientOptions, createRooms, type Rooms } from './rooms.ts';
