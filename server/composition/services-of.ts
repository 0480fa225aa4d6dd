/** Returns the services of rooms by their names. */
export function servicesOf<Rooms extends Readonly<Record<string, { readonly service: unknown }>>>(
  rooms: Rooms,
): { [Name in keyof Rooms]: Rooms[Name]['service'] } {
  const services = Object.entries(rooms).map(([name, { service }]) => [name, service]);
  return Object.fromEntries(services) as { [Name in keyof Rooms]: Rooms[Name]['service'] };
}
