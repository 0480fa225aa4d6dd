/** A value that the configuration of the telephone engine cannot hold; the message is one sentence for people. */
export class ConfigurationError extends Error {}
