"""racpscope on this machine, for what needs no adapter."""
import asyncio


async def run_on_host(racpscope: str, *arguments: str) -> tuple[int, str]:
    """Exit status, and both outputs where it is not 0."""
    process = await asyncio.create_subprocess_exec(
        racpscope, *arguments, stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    output, errors = await asyncio.wait_for(process.communicate(), 60)
    text = output if process.returncode == 0 else output + errors
    return process.returncode, text.decode(errors='replace')
