/** Functions that forget what this page keeps in memory for the person who is signed in. */
const memories = new Set<() => void>();

/** Has `forget` called when a person leaves for good, or another one signs in after them. */
export function forgetWithPerson(forget: () => void): void {
  memories.add(forget);
}

/** Forgets whatever the last person did and typed on this page. */
export function forgetPerson(): void {
  for (const forget of memories) forget();
}
