/**
 * The provider process: asks its series for its configuration, serves, and ends when the series ends (the channel
 * closes) or asks it to. A log that cannot be written ends it: a charge that is not in the log must not be made.
 */
import { monotonicMs } from '../../protocol/monotonic.ts';
import { AppendFile } from '../../rundir/append-file.ts';
import { ChargeBook } from './charge-book.ts';
import { IdempotencyTable } from './idempotency-table.ts';
import { providerConfigSchema, type ProviderConfig, type ProviderMessage } from './provider-protocol.ts';
import { listenAsProvider } from './provider-server.ts';
import { errorText } from '../../failure/error-text.ts';

// The terminal's Ctrl-C goes to the whole group; the series turns it into an orderly end.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => {
  process.exit(0);
});
process.on('message', (message: unknown) => {
  const config = providerConfigSchema.safeParse(message);
  if (config.success) start(config.data).catch(fail);
});
tell({ kind: 'waiting' });

async function start({ logFile, scale }: ProviderConfig): Promise<void> {
  const log = new AppendFile(logFile);
  const book = new ChargeBook((event) => {
    log.write(event);
  }, monotonicMs);
  const { port } = await listenAsProvider(
    { book, keys: new IdempotencyTable(), faults: new Map(), scale },
    fail,
  );
  tell({ kind: 'listening', port });
}

function tell(message: ProviderMessage): void {
  process.send?.(message);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.send?.({ kind: 'broken', what: errorText(error) }, () => {
    process.exit(1);
  });
}
