/** The provider process. A log that cannot be written ends it: a charge that is not in the log must not be made. */
import { monotonicMs } from '../../protocol/monotonic.ts';
import { AppendFile } from '../../rundir/append-file.ts';
import { serveAsService } from '../service-main.ts';
import { ChargeBook } from './charge-book.ts';
import { IdempotencyTable } from './idempotency-table.ts';
import { providerConfigSchema } from './provider-protocol.ts';
import { listenAsProvider } from './provider-server.ts';

serveAsService(providerConfigSchema, async ({ logFile, scale }, fail) => {
  const log = new AppendFile(logFile);
  const book = new ChargeBook((event) => {
    log.write(event);
  }, monotonicMs);
  const { port } = await listenAsProvider(
    { book, keys: new IdempotencyTable(), faults: new Map(), scale },
    fail,
  );
  return port;
});
