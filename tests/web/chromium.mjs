/* A headless Chromium, driven by its DevTools protocol over a pipe: no server, no package. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* The program's name, or undefined where there is none. */
export const browser = ['chromium', 'chromium-browser', 'google-chrome'].find((name) => !spawnSync(name, ['--version']).error);

const patience = 180000;

/* Run `work` with a page of `size`, { width, height, mobile }, that shows `url`; the browser ends with it. The page has
 *   send(method, params)     a command of the protocol
 *   evaluate(expression)     its value in the page, which is awaited
 *   until(expression)        waits until that is true
 *   frame()                  waits until a frame of it is on the screen; the browser loses presses that come before the first
 *   problems                 what the page threw or reported as an error */
export async function withPage(url, size, work) {
	const profile = mkdtempSync(join(tmpdir(), 'widephase-'));
	const child = spawn(browser, ['--headless', '--no-sandbox', '--remote-debugging-pipe', `--user-data-dir=${profile}`,
		'--enable-unsafe-swiftshader', '--hide-scrollbars', 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
	const gone = new Promise((resolve) => child.on('exit', resolve));
	try {
		return await work(await openPage(child, url, size));
	} finally {
		child.kill();
		await gone;
		await remove(profile);
	}
}

/* The browser's own children may still write into a folder while it is removed. */
async function remove(folder) {
	for (const end = Date.now() + patience; ; await new Promise((resolve) => setTimeout(resolve, 200)))
		try {
			return rmSync(folder, { recursive: true, force: true });
		} catch (error) {
			if (Date.now() > end)
				throw error;
		}
}

/* Commands to the browser and its answers, each a text that ends with a zero. */
function connect(child, onEvent) {
	const [, , , input, output] = child.stdio, waiting = new Map();
	let last = 0, rest = '';
	output.setEncoding('utf8');
	output.on('data', (text) => {
		const messages = (rest + text).split('\0');
		rest = messages.pop();
		for (const message of messages.map((json) => JSON.parse(json))) {
			const { resolve, reject } = waiting.get(message.id) ?? {};
			waiting.delete(message.id);
			if (message.error)
				reject?.(new Error(message.error.message));
			else if (resolve)
				resolve(message.result);
			else
				onEvent(message);
		}
	});
	child.on('exit', (code) => waiting.forEach(({ reject }) => reject(new Error(`the browser ended with ${code}`))));
	return (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
		waiting.set(++last, { resolve, reject });
		input.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
	});
}

async function openPage(child, url, { width, height, mobile = false }) {
	const problems = [];
	const send = connect(child, ({ method, params }) => {
		if (method === 'Runtime.exceptionThrown')
			problems.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
		if (method === 'Runtime.consoleAPICalled' && params.type === 'error')
			problems.push(params.args.map((argument) => argument.value).join(' '));
	});
	const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
	const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
	const page = { problems, send: (method, params) => send(method, params, sessionId) };
	page.evaluate = async (expression) => {
		const { result, exceptionDetails } = await page.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
		if (exceptionDetails)
			throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
		return result.value;
	};
	page.until = async (expression) => {
		for (const end = Date.now() + patience; !await page.evaluate(expression);) {
			if (Date.now() > end)
				throw new Error(`${expression} does not come true; ${problems.join('\n')}`);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	};
	page.frame = () => page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
	await page.send('Runtime.enable');
	await page.send('Page.enable');
	await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile });
	await page.send('Emulation.setTouchEmulationEnabled', { enabled: mobile });
	await page.send('Page.navigate', { url });
	await page.until(`location.href !== 'about:blank' && document.readyState === 'complete'`);
	return page;
}
