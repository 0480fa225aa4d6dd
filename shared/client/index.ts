export type { CallOptions, InputOf, NamedFile } from './call.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { ApiError, UnexpectedAnswerError, UnreachableError } from './errors.ts';
