import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';
import { dropPostgresDatabase } from './postgres.ts';
import { newPostgresDatabase, postgresUrl } from './stores.ts';

/** A gateway on a store of its own of that kind. `close` of the answer removes the store as well; `drop` does so alone, once it is closed. */
export async function startGatewayOn(
  kind: 'sqlite' | 'postgres',
  options: TestGatewayOptions = {},
): Promise<{ gateway: TestGateway; close(): Promise<void>; drop(): Promise<void> }> {
  const databaseUrl = kind === 'postgres' && postgresUrl ? await newPostgresDatabase() : null;
  const gateway = await startTestGateway({ ...options, databaseUrl });
  const drop = async () => {
    if (databaseUrl) await dropPostgresDatabase(databaseUrl);
  };
  return {
    gateway,
    async close() {
      await gateway.close();
      await drop();
    },
    drop,
  };
}
