import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { shellEnvironment, withExplicitBareRepositories } from '../../../src/runtime/tools/shellEnv.ts';

describe('the environment of a shell', () => {
  it('holds no secrets and nothing of VS Code', () => {
    const secrets = [
      'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'openai_api_key', 'AZURE_OPENAI_KEY', 'GITHUB_TOKEN', 'TOKEN', 'NPM_TOKEN', 'ANTHROPIC_AUTH_TOKEN', 'npm_config__authToken',
      'CLIENT_SECRET', 'AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID', 'PGPASSWORD', 'DB_PASSWORD_FILE', 'GOOGLE_APPLICATION_CREDENTIALS', 'SESSION_COOKIE',
      'MYSQL_PWD', 'API_KEY', 'API_KEY_PROD', 'STRIPE_APIKEY_TEST', 'TOKEN_X', 'DEPLOY_TOKEN_PROD', 'NPM_CONFIG__AUTH', 'npm_config_//registry.example/:_authToken', 'DOCKER_AUTH', 'GPG_PASSPHRASE',
      'SSH_PASSPHRASE_FILE', 'GCP_CREDENTIALS', 'SECRET_X', 'APP_SECRETS', 'GITHUB_PAT', 'AWS_ACCESS_KEY_ID_PROD', 'DEPLOY_PRIVATE_KEY_B64', 'AZURE_STORAGE_CONNECTION_STRING', 'ANTHROPIC_CUSTOM_HEADERS',
      'VSCODE_IPC_HOOK', 'VSCODE_GIT_ASKPASS_NODE', 'ELECTRON_RUN_AS_NODE',
    ];
    assert.deepEqual(shellEnvironment(Object.fromEntries(secrets.map((name) => [name, 'x']))), {});
  });

  it('holds no address with a password in it, whatever its name', () => {
    const addresses = [
      'postgres://u:p@h', 'postgres://u:p@ss@h/db', 'redis://:p@h:6379/0', 'jdbc:postgresql://h/db?user=u&password=p', 'sqlserver://h;Password=p', 'mongodb://u:p@one,two/db', 'see https://u:p@h',
    ];
    assert.deepEqual(shellEnvironment(Object.fromEntries(addresses.map((address, index) => [`DATABASE_${index}`, address]))), {});
    const plain = ['https://h:8080/a:b@c', 'postgres://u@h:5432/db', 'http://h?next=a:b@c', 'ssh://git@h:22/x', 'user:pass@host', 'https://h/?passwordless=1', 'C://x', 'file:///a:b@c'];
    const all = Object.fromEntries(plain.map((address, index) => [`ADDRESS_${index}`, address]));
    assert.deepEqual(shellEnvironment(all), all);
    assert.deepEqual(shellEnvironment({ DATABASE_URL: 'postgres://u:p@h', CACHE_URL: 'redis://:p@h' }, { keep: ['*_URL'], drop: ['CACHE_*'] }), { DATABASE_URL: 'postgres://u:p@h' });
  });

  it('holds all else as it is', () => {
    const plain = { PATH: '/bin', HOME: '/home/me', SSH_AUTH_SOCK: '/tmp/s', LANG: 'C', MAX_TOKENS: '5', TOKENIZERS_PARALLELISM: 'false', PWD: '/w', OLDPWD: '/v', SSH_ASKPASS: '/bin/ask', XAUTHORITY: '/x', GIT_AUTHOR_NAME: 'me', PATHEXT: '.EXE', COMPATIBLE: '1', KEYBOARD: 'de', EMPTY: '' };
    assert.deepEqual(shellEnvironment({ ...plain, ABSENT: undefined }), plain);
  });

  it('lets git use no bare repository that it happens to find', () => {
    assert.deepEqual(withExplicitBareRepositories({ A: 'b' }), { A: 'b', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.bareRepository', GIT_CONFIG_VALUE_0: 'explicit' });
  });

  it('keeps the settings of git that the user has there', () => {
    const own = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'me' };
    assert.deepEqual(withExplicitBareRepositories(own), { ...own, GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_1: 'safe.bareRepository', GIT_CONFIG_VALUE_1: 'explicit' });
    const decided = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.bareRepository', GIT_CONFIG_VALUE_0: 'all' };
    assert.deepEqual(withExplicitBareRepositories(decided), decided);
    assert.deepEqual(withExplicitBareRepositories({ GIT_CONFIG_COUNT: 'x' }), { GIT_CONFIG_COUNT: 'x' });
  });

  it('follows the names that a setting adds or removes', () => {
    assert.deepEqual(shellEnvironment({ MY_TOKEN: 'a', CORP_URL: 'b', X: 'c' }, { drop: ['corp_*'], keep: ['MY_TOKEN', 'CORP_URL'] }), { MY_TOKEN: 'a', X: 'c' });
  });
});
