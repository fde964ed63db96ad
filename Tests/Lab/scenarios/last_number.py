"""65,535 is the last number: no request wraps to zero, and a run without anything new is a success."""


async def run(lab):
    await lab.new_meter('--first-number 65506')
    await lab.sync()
    await lab.holds()
    second = await lab.sync()
    lab.check(not any(request.startswith('01030100') for request in second.control_point_writes),
              f'{second.label}: asks for numbers from 0: {second.control_point_writes}')
    await lab.holds()
