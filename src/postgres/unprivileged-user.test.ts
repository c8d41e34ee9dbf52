import { expect, test } from 'vitest';
import { nobodyIn } from './unprivileged-user.ts';

test('the ids of nobody are read from the accounts of the machine', () => {
  const passwd = 'root:x:0:0:root:/root:/bin/sh\nnobody:x:99:98:Nobody:/:/sbin/nologin\n';
  expect(nobodyIn(passwd)).toEqual({ uid: 99, gid: 98 });
});

test.each([
  ['no such account', 'root:x:0:0:root:/root:/bin/sh\nnobodyelse:x:7:7::/:\n'],
  ['an account with the rights of root', 'nobody:x:0:0::/:\n'],
  ['a negative id, which some systems write', 'nobody:*:-2:-2::/:\n'],
  ['a line that was cut off', 'nobody:x'],
])('%s gives no ids', (_, passwd) => {
  expect(nobodyIn(passwd)).toBeNull();
});
